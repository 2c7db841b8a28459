// heddle: expect=livelock budget=2000
// Only one order makes it endless: the flag is reset after it was set.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(missed) {
  std::atomic<bool> go{false};
  std::thread waiter([&] {
#ifndef FIXED
    go = false;  // "start clean"
#endif
    while (!go) std::this_thread::yield();
  });
  go = true;
  waiter.join();
}
