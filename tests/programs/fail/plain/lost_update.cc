// heddle: expect=assertion budget=1000
// x++ from two threads without a lock.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
volatile int x;
[[maybe_unused]] std::mutex m;

void add() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  x = x + 1;
}
}  // namespace

HEDDLE_FUZZ_TEST(lost_update) {
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(x == 2);
}
