// heddle: expect=livelock budget=20 seeds=1
// Main polls for a result of a worker that no thread wakes: main has not ended, and it is the thread that spins.
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
