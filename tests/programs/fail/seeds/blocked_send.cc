// heddle: expect=assertion budget=200 options=report_leaks=0
// Two senders, one receive: who is left blocked never comes to the code behind its send. That of the first one is wrong.
// To see it, an operation that never finished must be moved. (The sender left behind is not what is looked for here.)
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
