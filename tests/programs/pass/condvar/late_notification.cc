// heddle: expect=pass runs=30
// A service notifies for the first time after thousands of rounds, and another one after an hour. Who waits for that is not blocked for ever.
#include <heddle/heddle.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(late_notification) {
  std::mutex m;
  std::condition_variable enough, over;
  int rounds = 0;
  bool late = false;
  std::thread counter([&] {
    for (bool done = false; !done;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::lock_guard lock(m);
      if ((done = ++rounds == 3000)) enough.notify_one();
    }
  });
  std::thread clock([&] {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::hours(1)) std::this_thread::sleep_for(std::chrono::seconds(1));
    std::lock_guard lock(m);
    late = true;
    over.notify_one();
  });
  std::unique_lock lock(m);
  enough.wait(lock, [&] { return rounds >= 3000; });
  over.wait(lock, [&] { return late; });
  lock.unlock();
  counter.join();
  clock.join();
}
