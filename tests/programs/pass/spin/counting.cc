// heddle: expect=pass runs=3000
// Spinners that count how often they have looked do something new each time: they must not keep each other, or what the schedule holds back, from going.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(counting) {
  std::atomic<int> turn{0}, looks{0}, inside{0};
  auto play = [&](int me) {
    for (int i = 0; i < 4; ++i) {
      for (int t = me; !turn.compare_exchange_weak(t, 2); t = me) looks++;
      assert(inside++ == 0);
      inside--;
      turn = 1 - me;
    }
  };
  std::thread a(play, 0), b(play, 1);
  a.join();
  b.join();
}
