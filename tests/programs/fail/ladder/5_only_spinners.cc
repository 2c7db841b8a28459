// heddle: expect=assertion budget=2000
// Rung 5: only spinners are left: they go in turn, and each hand-over makes the other one move.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(only_spinners) {
  std::atomic<int> turn{0}, lead{-1};
  auto play = [&](int me) {
    for (int i = 0; i < 3; ++i) {
      int patience = 0;
      while (turn != me) {
        if (++patience > 20) {
          int nobody = -1;
          lead.compare_exchange_strong(nobody, me);
        }
      }
      turn = 1 - me;
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
#ifdef FIXED
  assert(turn == 0);
#else
  assert(lead == -1);
#endif
}
