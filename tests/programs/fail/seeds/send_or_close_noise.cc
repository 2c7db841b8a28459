// heddle: expect=send_on_closed_channel budget=1000
// A close that practically always comes after the send.
#include "noise.h"

HEDDLE_FUZZ_TEST(send_or_close_noise) {
  const heddle::chan<int> c = heddle::make_chan<int>(1);
  heddle::go([c] { c.send(1); });
  noise();
#ifdef FIXED
  c.receive();
#endif
  c.close();
}
