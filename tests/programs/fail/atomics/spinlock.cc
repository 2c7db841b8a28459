// heddle: expect=assertion budget=500
// A spin lock that tests and sets in two steps.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(spinlock) {
  std::atomic<int> locked{0}, inside{0};
  auto work = [&] {
#ifdef FIXED
    while (locked.exchange(1) != 0) {
    }
#else
    while (locked.load() != 0) {
    }
    locked.store(1);
#endif
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    locked.store(0);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}
