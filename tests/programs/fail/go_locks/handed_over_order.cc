// heddle: expect=data_race budget=500 options=report_races=1
// The thread that unlocks in place of another one must know what that one has done: the unlock says nothing of it.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(handed_over_order) {
  heddle::mutex lock;
  int value = 0;
  std::atomic<bool> locked{false};
  heddle::wait_group all;
  all.go([&] {
    lock.lock();
    value = 1;
#ifdef FIXED
    locked.store(true, std::memory_order_release);
#else
    locked.store(true, std::memory_order_relaxed);
#endif
  });
  all.go([&] {
#ifdef FIXED
    while (!locked.load(std::memory_order_acquire)) std::this_thread::yield();
#else
    while (!locked.load(std::memory_order_relaxed)) std::this_thread::yield();
#endif
    lock.unlock();
    lock.lock();
    value = 2;
    lock.unlock();
  });
  all.wait();
}
