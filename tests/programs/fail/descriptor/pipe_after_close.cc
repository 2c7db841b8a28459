// heddle: expect=assertion budget=10000
// A worker writes its result into a pipe; main closes the write end when it has seen the worker's flag, which comes before the write.
#include <heddle/heddle.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(pipe_after_close) {
  int ends[2];
  if (pipe(ends) != 0) return;
  std::atomic<bool> finished{false};
  std::thread worker([&] {
#ifdef FIXED
    const bool written = write(ends[1], "r", 1) == 1;
    finished = true;
#else
    finished = true;
    const bool written = write(ends[1], "r", 1) == 1;
#endif
    assert(written);
  });
  while (!finished) std::this_thread::yield();
  close(ends[1]);
  char c;
  while (read(ends[0], &c, 1) > 0) {
  }
  worker.join();
  close(ends[0]);
}
