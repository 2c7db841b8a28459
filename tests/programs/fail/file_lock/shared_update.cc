// heddle: expect=assertion budget=500
// A number in a file is incremented under flock, by each thread with its own description. A shared lock does not exclude another shared lock.
#include <heddle/heddle.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <thread>

#ifdef FIXED
constexpr int kLock = LOCK_EX;
#else
constexpr int kLock = LOCK_SH;
#endif

HEDDLE_FUZZ_TEST(shared_update) {
  char path[] = "counted-XXXXXX";
  const int file = mkstemp(path);
  [[maybe_unused]] ssize_t moved = pwrite(file, "a", 1, 0);
  auto count = [&] {
    const int own = open(path, O_RDWR);
    [[maybe_unused]] const int locked = flock(own, kLock);
    char c = 0;
    moved = pread(own, &c, 1, 0);
    ++c;
    moved = pwrite(own, &c, 1, 0);
    flock(own, LOCK_UN);
    close(own);
  };
  std::thread one(count), two(count);
  one.join();
  two.join();
  char c = 0;
  moved = pread(file, &c, 1, 0);
  close(file);
  unlink(path);
  assert(c == 'c');
}
