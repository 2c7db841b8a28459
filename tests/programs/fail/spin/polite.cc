// heddle: expect=livelock|blocked_threads|deadlock budget=2000
// Each waits until the other one no longer wants to go. Once both want to, neither ever goes.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(polite) {
  std::atomic<bool> wants[2] = {};
  auto pass = [&](int me) {
    wants[me] = true;
#ifdef FIXED
    while (me == 0 && wants[1]) std::this_thread::yield();
#else
    while (wants[1 - me]) std::this_thread::yield();
#endif
    wants[me] = false;
  };
  std::thread other(pass, 1);
  pass(0);
  other.join();
}
