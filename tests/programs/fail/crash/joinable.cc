// heddle: expect=assertion|crash budget=300
// An early return destroys a std::thread that was not joined.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(joinable) {
  std::atomic<bool> failed{false};
  std::thread other([&] { failed = true; });
  if (failed) {
#ifdef FIXED
    other.join();
#endif
    return;
  }
  other.join();
}
