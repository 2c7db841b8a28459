// heddle: expect=blocked_threads|lost_wakeup budget=1000
// Two threads wait for different things at one condition variable, and one notification may wake the wrong one.
#include <heddle/mutex.h>

#include <thread>

HEDDLE_FUZZ_TEST(cond_one_of_two) {
  heddle::rw_mutex lock;
  heddle::cond changed;
  int turn = 0;
  const auto wait_for = [&](int mine) {
    const std::shared_lock guard(lock);
    while (turn < mine) changed.wait(guard);
  };
  std::thread first(wait_for, 1), second(wait_for, 2);
  for (int i = 1; i <= 2; ++i) {
    lock.lock();
    turn = i;
    lock.unlock();
#ifdef FIXED
    changed.notify_all();
#else
    changed.notify_one();
#endif
  }
  first.join();
  second.join();
}
