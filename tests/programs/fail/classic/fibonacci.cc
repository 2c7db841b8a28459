// heddle: expect=assertion budget=200000 seeds=1
// Two threads add to each other's number: only a strict alternation of all their steps gives the largest sum.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(fibonacci) {
  constexpr int kSteps = 3;
  std::atomic<int> i{1}, j{1};
  std::thread one([&] { for (int k = 0; k < kSteps; ++k) i = i + j; });
  std::thread two([&] { for (int k = 0; k < kSteps; ++k) j = j + i; });
  one.join();
  two.join();
#ifdef FIXED
  assert(i <= 21 && j <= 21);
#else
  assert(i < 21 && j < 21);
#endif
}
