// heddle: expect=deadlock budget=500
// Two mutexes in both orders.
#include <heddle/mutex.h>

#include <thread>

HEDDLE_FUZZ_TEST(lock_order) {
  heddle::mutex a, b;
  std::thread other([&] {
#ifdef FIXED
    const std::lock_guard first(a), second(b);
#else
    const std::lock_guard first(b), second(a);
#endif
  });
  {
    const std::lock_guard first(a), second(b);
  }
  other.join();
}
