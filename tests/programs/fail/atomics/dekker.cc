// heddle: expect=assertion budget=1000
// Mutual exclusion by two flags: look first and raise the flag afterwards.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(dekker) {
  std::atomic<bool> flag[2] = {};
  std::atomic<int> inside{0};
  auto enter = [&](int me) {
#ifdef FIXED
    flag[me] = true;
    if (flag[1 - me]) return;
#else
    if (flag[1 - me]) return;
    flag[me] = true;
#endif
    assert(inside++ == 0);
    inside--;
    flag[me] = false;
  };
  std::thread other(enter, 1);
  enter(0);
  other.join();
}
