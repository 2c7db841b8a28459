// heddle: expect=blocked_threads|lost_wakeup budget=2000
// Main and a worker that polls wait for one condition variable. notify_one() can wake the worker, which has nothing to do with it, and goes on polling.
#include <heddle/heddle.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(woken_the_poller) {
  std::mutex m;
  std::condition_variable changed;
  bool loaded = false, stop = false;
  int polls = 0;
  std::thread worker([&] {
    std::unique_lock lock(m);
    while (!changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return stop; })) ++polls;
  });
  std::thread loader([&] {
    std::lock_guard lock(m);
    loaded = true;
#ifdef FIXED
    changed.notify_all();
#else
    changed.notify_one();
#endif
  });
  {
    std::unique_lock lock(m);
    changed.wait(lock, [&] { return loaded; });
    stop = true;
    changed.notify_all();
  }
  loader.join();
  worker.join();
}
