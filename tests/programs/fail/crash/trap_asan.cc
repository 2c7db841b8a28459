// heddle: expect=crash budget=500 asan
// ASan leaves the signal of a trap to the fuzzing engine, which would print a stack and nothing else.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(trap_asan) {
  std::atomic<int> sum{0};
  std::mutex mutex;
  const auto add = [&] {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    const int before = sum;
    sum = before + 1;
  };
  std::thread other(add);
  add();
  other.join();
  if (sum != 2) __builtin_trap();
}
