// heddle: expect=assertion budget=3000
// Peterson's lock, with the two stores of the entry in the wrong order.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(peterson) {
  std::atomic<bool> wants[2] = {};
  std::atomic<int> turn{0}, inside{0};
  auto critical = [&](int me) {
#ifdef FIXED
    wants[me] = true;
    turn = 1 - me;
#else
    turn = 1 - me;
    wants[me] = true;
#endif
    while (wants[1 - me] && turn == 1 - me) {
    }
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    wants[me] = false;
  };
  std::thread other(critical, 1);
  critical(0);
  other.join();
}
