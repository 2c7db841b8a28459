// heddle: expect=negative_wait_group budget=500
// The thread is started before it is counted.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(negative_wait_group) {
  static heddle::wait_group all;
#ifdef FIXED
  all.add(1);
#endif
  heddle::go([] { all.done(); });
#ifndef FIXED
  all.add(1);
#endif
  all.wait();
}
