// heddle: expect=blocked_threads budget=500
// A worker that finds the work canceled returns without done().
#include <heddle/csp.h>

#include <atomic>

HEDDLE_FUZZ_TEST(wait_group_not_done) {
  heddle::wait_group workers;
  std::atomic<bool> canceled{false};
  workers.add(2);
  for (int i = 0; i < 2; ++i) {
    heddle::go([&] {
#ifndef FIXED
      if (canceled) return;
#endif
      workers.done();
    });
  }
  canceled = true;
  workers.wait();
}
