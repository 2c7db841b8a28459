// heddle: expect=deadlock budget=2000
// Three threads, three locks: no two of them alone can deadlock.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(three_cycle) {
  std::mutex m[3];
  int passed = 0;
  auto both = [&](int first, int second) {
    std::lock_guard l1(m[first]);
    std::lock_guard l2(m[second]);
    (void)passed;
  };
  std::thread t0(both, 0, 1);
  std::thread t1(both, 1, 2);
#ifdef FIXED
  std::thread t2(both, 0, 2);
#else
  std::thread t2(both, 2, 0);
#endif
  t0.join();
  t1.join();
  t2.join();
}
