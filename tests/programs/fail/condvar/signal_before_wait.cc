// heddle: expect=lost_wakeup budget=500
// The notification may come before the wait, and nothing remembers it.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(signal_before_wait) {
  std::mutex m;
  std::condition_variable ready;
  [[maybe_unused]] bool done = false;
  std::thread worker([&] {
    std::lock_guard lock(m);
    done = true;
    ready.notify_one();
  });
  {
    std::unique_lock lock(m);
#ifdef FIXED
    ready.wait(lock, [&] { return done; });
#else
    ready.wait(lock);
#endif
  }
  worker.join();
}
