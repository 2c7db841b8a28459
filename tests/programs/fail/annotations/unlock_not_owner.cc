// heddle: expect=unlock_not_owner|unlock_not_locked budget=500
// A thread that is done releases the lock, even if another thread has taken it since.
#include <heddle/heddle.h>

#include <thread>

#include "../../fail/annotations/futex_lock.h"

HEDDLE_FUZZ_TEST(unlock_not_owner) {
  FutexLock lock;
  std::atomic<bool> taken{false};
  std::thread owner([&] {
    lock.lock();
    taken = true;
    lock.unlock();
  });
#ifndef FIXED
  if (taken) lock.unlock();
#endif
  owner.join();
}
