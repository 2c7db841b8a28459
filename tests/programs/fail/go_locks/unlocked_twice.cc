// heddle: expect=unlock_not_locked budget=100
// An early return unlocks by hand what the end of the scope unlocks again.
#include <heddle/mutex.h>

HEDDLE_FUZZ_TEST(unlocked_twice) {
  heddle::mutex lock;
  std::unique_lock guard(lock);
#ifdef FIXED
  guard.unlock();
#else
  lock.unlock();
#endif
}
