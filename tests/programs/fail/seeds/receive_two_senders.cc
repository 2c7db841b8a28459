// heddle: expect=blocked_threads budget=200
// Only one of two senders is ever received from: no schedule is better than another.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(receive_two_senders) {
  const heddle::chan<int> a = heddle::make_chan<int>();
  const heddle::chan<int> x = heddle::make_chan<int>();
  heddle::go([x] { x.send(1); });
  heddle::go([a] { a.send(1); });
  x.receive();
#ifdef FIXED
  a.receive();
#endif
}
