// heddle: expect=blocked_threads|deadlock budget=10000
// The self-pipe trick: a thread that queues work writes a byte only if the queue was empty. The loop empties the pipe after the queue, and so takes
// the byte of work that it has not seen.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <poll.h>
#include <unistd.h>

#include <mutex>
#include <thread>
#include <vector>

namespace {
struct Loop {
  int wake[2];
  std::mutex m;
  std::vector<int> queue;

  void post(int work) {
    std::lock_guard lock(m);
    const bool was_empty = queue.empty();
    queue.push_back(work);
    if (was_empty) (void)!write(wake[1], "w", 1);
  }
  void empty_pipe() {
    char c[16];
    while (read(wake[0], c, sizeof c) > 0) {
    }
  }
  void run(size_t expected) {
    size_t done = 0;
    while (done < expected) {
      pollfd p = {wake[0], POLLIN, 0};
      poll(&p, 1, -1);
#ifdef FIXED
      empty_pipe();
#endif
      std::vector<int> work;
      {
        std::lock_guard lock(m);
        work.swap(queue);
      }
#ifndef FIXED
      empty_pipe();
#endif
      done += work.size();
    }
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(self_pipe) {
  Loop loop;
  if (pipe2(loop.wake, O_NONBLOCK) != 0) return;
  std::thread poster([&] {
    loop.post(1);
    loop.post(2);
  });
  loop.run(2);
  poster.join();
  close(loop.wake[0]);
  close(loop.wake[1]);
}
