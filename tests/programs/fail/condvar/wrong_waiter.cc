// heddle: expect=lost_wakeup|blocked_threads|deadlock budget=1000
// Two threads wait for different things on one condition variable; one notification is meant for one of them.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(wrong_waiter) {
  std::mutex m;
  std::condition_variable changed;
  bool a = false, b = false;
  auto wait_for = [&](bool& flag) {
    std::unique_lock lock(m);
    changed.wait(lock, [&] { return flag; });
  };
  std::thread for_a([&] { wait_for(a); });
  std::thread for_b([&] { wait_for(b); });
  auto set = [&](bool& flag) {
    std::lock_guard lock(m);
    flag = true;
#ifdef FIXED
    changed.notify_all();
#else
    changed.notify_one();
#endif
  };
  set(a);
  for_a.join();
  set(b);
  for_b.join();
}
