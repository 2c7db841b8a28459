// heddle: expect=blocked_threads budget=500
// Two threads are stuck over a lock that one of them keeps while it waits; a third is only idle, though a notification came before its wait.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(idle_bystander) {
  std::mutex m, table;
  std::condition_variable work_or_stop, finished;
  bool work = false, stop = false, done = false;
  std::thread idle([&] {
    std::unique_lock lock(m);
    while (!stop) {
      work_or_stop.wait(lock, [&] { return stop || work; });
      work = false;
    }
  });
  auto say = [&](bool& what) {
    std::lock_guard lock(m);
    what = true;
    work_or_stop.notify_one();
  };
  say(work);
  std::thread other([&] {
    std::lock_guard hold(table);
    std::lock_guard lock(m);
    done = true;
    finished.notify_one();
  });
  {
#ifndef FIXED
    std::lock_guard hold(table);
#endif
    std::unique_lock lock(m);
    finished.wait(lock, [&] { return done; });
  }
  say(stop);
  idle.join();
  other.join();
}
