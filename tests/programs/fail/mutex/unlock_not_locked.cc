// heddle: expect=unlock_not_locked budget=200
// An error path unlocks although the attempt to lock failed, after the owner has gone.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(unlock_not_locked) {
  std::mutex m;
  std::atomic<bool> given_back{false};
  std::thread other([&] {
    const bool mine = m.try_lock();
#ifdef FIXED
    if (mine) m.unlock();
#else
    if (mine || given_back) m.unlock();
#endif
  });
  m.lock();
  m.unlock();
  given_back = true;
  other.join();
}
