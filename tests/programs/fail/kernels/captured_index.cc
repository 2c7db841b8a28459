// heddle: expect=assertion budget=1000
// After cockroach#35501: all threads have the loop's variable, not its value.
#include <heddle/csp.h>

#include <atomic>
#include <cassert>

HEDDLE_FUZZ_TEST(captured_index) {
  static std::atomic<int> seen[3];
  static int i;
  heddle::wait_group all;
  for (i = 0; i < 3; ++i) {
#ifdef FIXED
    all.go([n = i] { ++seen[n]; });
#else
    all.go([] { ++seen[i % 3]; });
#endif
  }
  all.wait();
  for (const auto& n : seen) assert(n == 1);
}
