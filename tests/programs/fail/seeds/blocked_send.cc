// heddle: expect=assertion budget=200 options=report_leaks=0
// Two senders, one receive: the sender that stays blocked never reaches the code after its send. The first sender's code there is wrong.
// To see it, an operation that never finished must be moved. (The blocked sender itself is not the bug of this test.)
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(blocked_send) {
  const heddle::chan<int> c = heddle::make_chan<int>(0);
  heddle::go([c] {
    c.send(1);
#ifndef FIXED
    assert(!"the code behind the first send");
#endif
  });
  heddle::go([c] { c.send(1); });
  c.receive();
}
