// heddle: expect=assertion budget=1000
// The same without volatile: the compiler makes one instruction of x++, and only its write is instrumented.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(increment) {
  int x = 0;
  [[maybe_unused]] std::mutex m;
  auto add = [&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    x++;
  };
  std::thread one(add), two(add), three(add);
  one.join();
  two.join();
  three.join();
  assert(x == 3);
}
