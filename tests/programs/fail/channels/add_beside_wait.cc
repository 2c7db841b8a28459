// heddle: expect=wait_group_misuse budget=200
// The worker counts itself. This wait comes too late to be over early, but nothing in the program sees to that.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(add_beside_wait) {
  static heddle::wait_group all;
  heddle::chan<void> working = heddle::make_chan<void>(1);
#ifdef FIXED
  all.add(1);
#endif
  heddle::go([working] {
#ifndef FIXED
    all.add(1);
#endif
    working.send();
    all.done();
  });
#ifdef FIXED
  working.receive();
#endif
  all.wait();
}
