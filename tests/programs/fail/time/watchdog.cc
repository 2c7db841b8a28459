// heddle: expect=assertion budget=2000
// The watchdog takes a worker that is slow for one that hangs, and both finish the job.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(watchdog) {
  std::mutex m;
  std::condition_variable beat;
  bool alive = false;
  std::atomic<int> finished{0};
  std::atomic<bool> claimed{false};
  auto finish = [&] {
#ifdef FIXED
    if (claimed.exchange(true)) return;
#else
    (void)claimed;
#endif
    ++finished;
  };
  std::thread dog([&] {
    std::unique_lock lock(m);
    if (!beat.wait_for(lock, std::chrono::seconds(30), [&] { return alive; })) finish();
  });
  {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::lock_guard lock(m);
    alive = true;
    beat.notify_all();
  }
  finish();
  dog.join();
  assert(finished == 1);
}
