// heddle: expect=livelock budget=20
// Main polls for what a worker would say if anybody woke it: main has not ended, and is where the program goes round.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(blocked_worker) {
  std::mutex m;
  std::condition_variable c;
  bool go = false;
  std::atomic<bool> done{false};
  std::thread worker([&] {
    std::unique_lock lock(m);
    c.wait(lock, [&] { return go; });
    done = true;
  });
#ifdef FIXED
  {
    std::lock_guard lock(m);
    go = true;
  }
  c.notify_one();
#endif
  while (!done) std::this_thread::yield();
  worker.join();
}
