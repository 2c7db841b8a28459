// heddle: expect=pass runs=2000
// std::lock backs off instead of waiting with a lock in hand: no order of arguments deadlocks, and it ends.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(scoped_lock) {
  std::mutex a, b, c;
  int n = 0;
  std::thread one([&] { std::scoped_lock all(a, b, c); ++n; });
  std::thread two([&] { std::scoped_lock all(c, b, a); ++n; });
  std::thread three([&] { std::scoped_lock all(b, c, a); ++n; });
  one.join();
  two.join();
  three.join();
  if (n != 3) __builtin_trap();
}
