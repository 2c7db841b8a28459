// heddle: expect=livelock budget=20 seeds=1
// Two threads spin for a value that no thread ever writes.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(forever) {
  std::atomic<int> a{0}, b{0};
  std::thread one([&] {
    while (b == 0) {
    }
#ifndef FIXED
    a = 1;
#endif
  });
#ifdef FIXED
  a = 1;
#endif
  while (a == 0) std::this_thread::yield();
  b = 1;
  one.join();
}
