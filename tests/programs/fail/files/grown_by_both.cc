// heddle: expect=assertion-failure budget=500
// Two threads look whether a file is empty, and then fill it and count that. What main finds wrong is the count, and the cause is in the file.
#include <heddle/heddle.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(grown_by_both) {
  const int file = memfd_create("grown", MFD_CLOEXEC);
  std::atomic<int> filled = 0;
  [[maybe_unused]] std::mutex m;
  const auto fill = [&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    struct stat status;
    fstat(file, &status);
    if (status.st_size != 0) return;
    (void)!ftruncate(file, 4096);
    ++filled;
  };
  std::thread a(fill), b(fill);
  a.join();
  b.join();
  close(file);
  assert(filled == 1);
}
