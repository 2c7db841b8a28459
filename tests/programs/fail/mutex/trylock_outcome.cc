// heddle: expect=assertion budget=500
// Work is skipped when a lock is busy, and is not done later.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(trylock_outcome) {
  std::mutex m;
  int done = 0;
  auto work = [&] {
#ifdef FIXED
    m.lock();
#else
    if (!m.try_lock()) return;
#endif
    ++done;
    m.unlock();
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(done == 2);
}
