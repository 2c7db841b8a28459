// heddle: expect=deadlock budget=500
// Rung 6: no thread can ever move again. While a sleeper can still wake up, it is not a deadlock.
#include <heddle/heddle.h>

#include <chrono>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(nobody_can_move) {
  std::mutex a, b;
  std::thread one([&] {
    std::lock_guard l1(a);
    std::this_thread::sleep_for(std::chrono::seconds(1));
#ifdef FIXED
    std::unique_lock l2(b, std::try_to_lock);
#else
    std::lock_guard l2(b);
#endif
  });
  std::thread two([&] {
    std::lock_guard l1(b);
    std::lock_guard l2(a);
  });
  one.join();
  two.join();
}
