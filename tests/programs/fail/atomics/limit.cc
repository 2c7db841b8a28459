// heddle: expect=assertion budget=1000
// Check, then act: more tickets are sold than there are.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(limit) {
  std::atomic<int> left{2}, sold{0};
  auto buy = [&] {
#ifdef FIXED
    int n = left;
    while (n > 0 && !left.compare_exchange_weak(n, n - 1)) {
    }
    if (n > 0) ++sold;
#else
    if (left > 0) {
      --left;
      ++sold;
    }
#endif
  };
  std::thread one(buy), two(buy), three(buy);
  one.join();
  two.join();
  three.join();
  assert(sold <= 2);
}
