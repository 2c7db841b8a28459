// heddle: expect=send_on_closed_channel budget=200
// A select offers to send on a channel that another thread closes; its other case need not be taken, even if it can be.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(select_send_on_closed) {
  const heddle::chan<int> out = heddle::make_chan<int>(1);
  const heddle::chan<int> quit = heddle::make_chan<int>(1);
  heddle::go([=] {
    quit.send(1);
#ifndef FIXED
    out.close();
#endif
  });
  heddle::select(heddle::on_receive(quit), heddle::on_send(out, 1));
}
