// heddle: expect=deadlock budget=500
// Two threads take two locks in opposite orders.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(ab_ba) {
  std::mutex a, b;
  std::thread one([&] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread two([&] {
#ifdef FIXED
    std::lock_guard first(a);
    std::lock_guard second(b);
#else
    std::lock_guard first(b);
    std::lock_guard second(a);
#endif
  });
  one.join();
  two.join();
}
