// heddle: expect=pass runs=500
// An access that heddle does not see (docs/reference/findings.md): to a freed block of 1 MiB. The access is an error, so its value is not checked. The next block
// keeps the allocator from returning the memory to the system.
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
  read_after_free(1 << 20, 0);
  read_after_free(1 << 20, 4 << 10);
  other.join();
}
