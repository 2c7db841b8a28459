// heddle: expect=data-race budget=500 options=report_races=1
// A page of a file that one thread looks at as memory, and another one writes with pwrite: under the lock, or not.
#include <heddle/heddle.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(written_as_a_file) {
  char path[] = "page-XXXXXX";
  const int file = mkstemp(path);
  unlink(path);
  [[maybe_unused]] const int sized = ftruncate(file, 4096);
  assert(sized == 0);
  void* const mapped = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  assert(mapped != MAP_FAILED);
  const auto* const counts = static_cast<const long*>(mapped);
  std::mutex m;
  std::thread writer([&] {
    const long both[2] = {1, 1};
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    [[maybe_unused]] const ssize_t written = pwrite(file, both, sizeof both, 64);
    assert(written == sizeof both);
  });
  {
    std::lock_guard lock(m);
    assert(counts[8] == counts[9]);
  }
  writer.join();
  munmap(mapped, 4096);
  close(file);
}
