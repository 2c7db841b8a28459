// heddle: expect=pass runs=300
// A thread has the stack that it would have had: two megabytes of frames, with switches at the bottom.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex m;

__attribute__((noinline)) int down(int n) {
  volatile char frame[1000];
  frame[0] = static_cast<char>(n);
  if (n == 0) {
    std::lock_guard lock(m);
    std::this_thread::yield();
    return 0;
  }
  return down(n - 1) + (frame[0] == static_cast<char>(n) ? 1 : 0);
}
}  // namespace

HEDDLE_FUZZ_TEST(deep_recursion) {
  std::thread one([] { assert(down(2000) == 2000); });
  std::thread two([] { assert(down(2000) == 2000); });
  one.join();
  two.join();
}
