// heddle: expect=blocked_threads budget=200
// Two senders, one receive: one sender stays blocked in any schedule.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(blocked_send_leak) {
  const heddle::chan<int> c = heddle::make_chan<int>(0);
  heddle::go([c] { c.send(1); });
  heddle::go([c] { c.send(1); });
  c.receive();
#ifdef FIXED
  c.receive();
#endif
}
