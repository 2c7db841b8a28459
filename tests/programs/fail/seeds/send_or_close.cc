// heddle: expect=send_on_closed_channel budget=200
// A close and a send that nothing orders: it goes well as long as the send is first.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(send_or_close) {
  const heddle::chan<int> c = heddle::make_chan<int>(1);
#ifdef FIXED
  heddle::wait_group sent;
  sent.go([c] { c.send(1); });
  sent.wait();
#else
  heddle::go([c] { c.send(1); });
#endif
  c.close();
}
