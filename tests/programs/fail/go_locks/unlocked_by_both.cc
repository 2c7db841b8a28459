// heddle: expect=unlock_not_locked budget=500
// Two threads may both come to think that they are the one to unlock.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(unlocked_by_both) {
  heddle::mutex busy;
  heddle::wait_group all;
  std::atomic<bool> done{false};
  busy.lock();
  for (int i = 0; i < 2; ++i) {
    all.go([&] {
#ifdef FIXED
      if (!done.exchange(true)) busy.unlock();
#else
      if (!done) {
        done = true;
        busy.unlock();
      }
#endif
    });
  }
  all.wait();
}
