// heddle: expect=assertion budget=10000
// Assumes that no thread holds the lock for a whole second.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <shared_mutex>
#include <thread>

HEDDLE_FUZZ_TEST(try_for) {
  std::shared_timed_mutex m;
  std::thread reader([&] {
    m.lock_shared();
    m.unlock_shared();
  });
  const bool locked = m.try_lock_for(std::chrono::seconds(1));
#ifndef FIXED
  assert(locked);
#endif
  if (locked) m.unlock();
  reader.join();
}
