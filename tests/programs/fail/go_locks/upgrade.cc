// heddle: expect=deadlock budget=100
// Go's RWMutex cannot be upgraded: the writer waits for its own read lock.
#include <heddle/mutex.h>

HEDDLE_FUZZ_TEST(upgrade) {
  heddle::rw_mutex lock;
  lock.lock_shared();
#ifdef FIXED
  lock.unlock_shared();
#endif
  lock.lock();
  lock.unlock();
#ifndef FIXED
  lock.unlock_shared();
#endif
}
