// heddle: expect=send_on_closed_channel budget=200
// A sender that waits already when the channel is closed.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(blocked_send_on_closed) {
  const heddle::chan<int> c = heddle::make_chan<int>();
  heddle::go([c] { c.send(1); });
#ifdef FIXED
  c.receive();
#endif
  c.close();
}
