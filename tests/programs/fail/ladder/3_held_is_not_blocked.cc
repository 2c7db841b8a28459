// heddle: expect=assertion budget=2000
// Rung 3: what a schedule holds back is let go when nothing else can run. A chain may ask for what locks forbid; that is never a
// deadlock, and the orders that are possible are still found.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(held_is_not_blocked) {
  std::mutex outer, inner;
  int order = 0, first = 0;
  auto visit = [&](int me) {
    std::lock_guard l1(outer);
    std::lock_guard l2(inner);
    if (order++ == 0) first = me;
  };
  std::thread one(visit, 1), two(visit, 2), three(visit, 3);
  one.join();
  two.join();
  three.join();
#ifdef FIXED
  assert(first >= 1 && first <= 3);
#else
  assert(first != 3);
#endif
}
