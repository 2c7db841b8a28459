// heddle: expect=assertion|crash budget=300
// An exception leaves a thread's function.
#include <heddle/heddle.h>

#include <atomic>
#include <stdexcept>
#include <thread>

HEDDLE_FUZZ_TEST(uncaught) {
  std::atomic<int> n{0};
  std::thread other([&] {
#ifdef FIXED
    try {
#endif
      if (n == 1) throw std::runtime_error("unexpected state");
#ifdef FIXED
    } catch (const std::runtime_error&) {
    }
#endif
  });
  n = 1;
  n = 2;
  other.join();
}
