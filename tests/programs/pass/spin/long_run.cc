// heddle: expect=pass runs=5
// Long is not endless: 100,000 operations that each do something new.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(long_run) {
  std::atomic<int> n{0};
  auto count = [&] {
    for (int i = 0; i < 50000; ++i) ++n;
  };
  std::thread one(count), two(count);
  one.join();
  two.join();
  if (n != 100000) __builtin_trap();
}
