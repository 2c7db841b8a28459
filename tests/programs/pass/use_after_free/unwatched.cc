// heddle: expect=pass runs=500
// What docs/reference/findings.md says is not seen: an access to a freed block of 64 KiB. It is an error all the same: what it reads is not looked at. A block after
// it keeps the allocator from giving the memory back to the system.
#include <heddle/heddle.h>
#include <malloc.h>

#include <cstdlib>
#include <thread>

namespace {
void read_after_free(size_t size, size_t at) {
  auto* volatile block = static_cast<volatile char*>(std::malloc(size));
  void* const behind = std::malloc(size);
  if (malloc_usable_size(const_cast<char*>(block)) < size) std::abort();
  volatile char* const gone = block;
  std::free(const_cast<char*>(block));
  (void)gone[at];
  std::free(behind);
}
}  // namespace

HEDDLE_FUZZ_TEST(unwatched) {
  std::thread other([] {});
  read_after_free(64 << 10, 0);
  read_after_free(64 << 10, 4 << 10);
  other.join();
}
