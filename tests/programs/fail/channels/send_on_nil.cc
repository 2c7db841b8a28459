// heddle: expect=blocked_threads budget=200
// The field is made too late: whoever sends on a nil channel waits for ever.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(send_on_nil) {
  heddle::chan<int> results;
#ifdef FIXED
  results = heddle::make_chan<int>(1);
#endif
  heddle::go([results] { results.send(1); });
  results = heddle::make_chan<int>(1);
}
