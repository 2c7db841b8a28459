// heddle: expect=assertion budget=1000
// The bug comes after a spin loop: fair waiting must not hide the orders that matter.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(hidden) {
  std::atomic<int> ready{0}, n{0};
  auto add = [&] {
    ++ready;
    while (ready != 2) {
    }
#ifdef FIXED
    n.fetch_add(1);
#else
    n = n + 1;
#endif
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(n == 2);
}
