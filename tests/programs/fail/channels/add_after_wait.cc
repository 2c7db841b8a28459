// heddle: expect=assertion|wait_group_misuse budget=500
// A thread adds to a group for itself: wait() can be over before.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(add_after_wait) {
  static heddle::wait_group all;
  static std::atomic<int> finished;
#ifdef FIXED
  all.add(2);
#endif
  for (int i = 0; i < 2; ++i) {
    heddle::go([] {
#ifndef FIXED
      all.add(1);
#endif
      ++finished;
      all.done();
    });
  }
  all.wait();
  assert(finished == 2);
}
