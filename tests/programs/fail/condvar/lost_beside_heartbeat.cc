// heddle: expect=lost_wakeup budget=2000
// The flag is set without the mutex, so the notification can be lost. A service that always does something new goes on for ever; it has nothing to do
// with the waiter.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(lost_beside_heartbeat) {
  std::mutex m;
  std::condition_variable changed;
  std::atomic<bool> ready{false}, stop{false};
  std::atomic<int> beats{0};
  std::thread heartbeat([&] {
    while (!stop) {
      ++beats;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  std::thread loader([&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(m);
    changed.wait(lock, [&] { return ready.load(); });
  }
  loader.join();
  stop = true;
  heartbeat.join();
}
