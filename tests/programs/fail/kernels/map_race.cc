// heddle: expect=data_race budget=500 options=report_races=1
// After etcd#9446: two threads write to one table without a lock.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(map_race) {
  static int table[2];
  [[maybe_unused]] static std::mutex m;
  heddle::wait_group all;
  for (int i = 0; i < 2; ++i) {
    all.go([i] {
#ifdef FIXED
      const std::lock_guard lock(m);
#endif
      table[0] += i;
    });
  }
  all.wait();
}
