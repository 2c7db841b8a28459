// heddle: expect=lost_wakeup|blocked_threads|deadlock budget=1000
// The predicate is changed without the mutex, between the waiter's look and its wait.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(notify_unlocked) {
  std::mutex m;
  std::condition_variable ready;
  std::atomic<bool> done{false};
  std::thread worker([&] {
#ifdef FIXED
    {
      std::lock_guard lock(m);
      done = true;
    }
#else
    done = true;
#endif
    ready.notify_one();
  });
  {
    std::unique_lock lock(m);
    ready.wait(lock, [&] { return done.load(); });
  }
  worker.join();
}
