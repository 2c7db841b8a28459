// heddle: expect=assertion budget=1000
// "A second is always enough": a timed lock whose time-out is not handled.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(timedlock_timeout) {
  std::timed_mutex m;
  int inside = 0;
  std::thread other([&] {
    m.lock();
    ++inside;
    std::this_thread::yield();
    --inside;
    m.unlock();
  });
  const bool mine = m.try_lock_for(std::chrono::seconds(1));
#ifdef FIXED
  if (mine)
#endif
    assert(inside == 0);
  if (mine) m.unlock();
  other.join();
}
