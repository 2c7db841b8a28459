// heddle: expect=unlock_not_owner budget=100
// What was locked for writing is unlocked as if it had been locked for reading.
#include <heddle/mutex.h>

HEDDLE_FUZZ_TEST(wrong_unlock) {
  heddle::rw_mutex lock;
  lock.lock();
#ifdef FIXED
  lock.unlock();
#else
  lock.unlock_shared();
#endif
}
