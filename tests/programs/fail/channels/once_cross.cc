// heddle: expect=deadlock|blocked_threads budget=500
// Two things that are initialised once, each of which needs the other in one of its branches.
#include <heddle/csp.h>

namespace {
heddle::once a, b;
}

HEDDLE_FUZZ_TEST(once_cross) {
  heddle::wait_group all;
#ifdef FIXED
  all.go([] { a.call([] { b.call([] {}); }); });
  a.call([] { b.call([] {}); });
#else
  all.go([] { a.call([] { b.call([] {}); }); });
  b.call([] { a.call([] {}); });
#endif
  all.wait();
}
