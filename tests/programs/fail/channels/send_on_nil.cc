// heddle: expect=blocked_threads budget=200
// The channel is created too late: a send on a nil channel never returns.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(send_on_nil) {
  heddle::chan<int> results;
#ifdef FIXED
  results = heddle::make_chan<int>(1);
#endif
  heddle::go([results] { results.send(1); });
  results = heddle::make_chan<int>(1);
}
