// heddle: expect=crash|stack-overflow|SEGV budget=300 asan
// A recursion without an end, if the other thread is in between.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
__attribute__((noinline)) int down(int depth, int limit) {
  volatile char frame[200];
  frame[0] = 1;
#ifdef FIXED
  if (depth >= limit) return 0;
#else
  if (depth == limit) return 0;
#endif
  return down(depth + 1, limit) + frame[0];
}
}  // namespace

HEDDLE_FUZZ_TEST(stack_overflow) {
  std::atomic<int> limit{10};
  std::thread other([&] {
    limit = 0;
    limit = 10;
  });
  const int seen = limit;
  std::thread deep([=] { down(1, seen); });
  deep.join();
  other.join();
}
