// heddle: expect=unlock_not_owner budget=200
// A thread unlocks a mutex that another one holds: the mutex is used as a signal.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(unlock_not_owner) {
  std::mutex m;
  std::thread other([&] {
    if (m.try_lock()) {
      m.unlock();
      return;
    }
#ifndef FIXED
    m.unlock();
#endif
  });
  m.lock();
#ifdef FIXED
  m.unlock();
  other.join();
#else
  other.join();
  if (m.try_lock()) m.unlock();
#endif
}
