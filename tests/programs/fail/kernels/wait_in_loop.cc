// heddle: expect=blocked_threads|deadlock budget=50
// After moby#25384: wait() has slipped into the loop that starts the tasks, all of which are counted already.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(wait_in_loop) {
  static heddle::wait_group all;
  all.add(2);
  for (int i = 0; i < 2; ++i) {
    heddle::go([] { all.done(); });
#ifndef FIXED
    all.wait();
#endif
  }
  all.wait();
}
