// heddle: expect=assertion budget=1000
// A thread reads back what it has just written: another one may have written in between.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
volatile int turn;
[[maybe_unused]] std::mutex m;

void take(int me) {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  turn = me;
  assert(turn == me);
}
}  // namespace

HEDDLE_FUZZ_TEST(own_write) {
  std::thread one(take, 1), two(take, 2);
  one.join();
  two.join();
}
