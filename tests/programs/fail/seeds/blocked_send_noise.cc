// heddle: expect=assertion budget=1000 options=report_leaks=0
// As blocked_send, but the second sender nearly always comes too late: only its unfinished operation shows it.
#include "noise.h"

#include <cassert>

HEDDLE_FUZZ_TEST(blocked_send_noise) {
  const heddle::chan<int> c = heddle::make_chan<int>();
  heddle::go([c] { c.send(1); });
  heddle::go([c] {
    noise();
    c.send(2);
#ifndef FIXED
    assert(!"the code behind the second send");
#endif
  });
  c.receive();
}
