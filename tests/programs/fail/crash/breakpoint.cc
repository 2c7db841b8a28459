// heddle: expect=crash budget=200
// A thread that sees half of the other's work stops in a breakpoint, as with GoogleTest's --gtest_break_on_failure. libFuzzer has no
// handler for that signal.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(breakpoint) {
  std::atomic<int> ready{0}, value{0};
  std::thread writer([&] {
#ifdef FIXED
    value = 1;
    ready = 1;
#else
    ready = 1;
    value = 1;
#endif
  });
  if (ready == 1 && value == 0) {
#if defined(__x86_64__)
    asm volatile("int3");
#else
    __builtin_debugtrap();
#endif
  }
  writer.join();
}
