// heddle: expect=assertion budget=200
// Which of two senders comes first decides the case of a select; the code of the second case is wrong.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(select_order) {
  const heddle::chan<int> c = heddle::make_chan<int>(1);
  const heddle::chan<int> d = heddle::make_chan<int>(1);
  heddle::go([c] { c.send(1); });
  heddle::go([d] { d.send(1); });
  int got = 0;
  heddle::select(heddle::on_receive(c, [&](auto v) { got = *v; }), heddle::on_receive(d, [&](auto v) {
#ifdef FIXED
                   got = *v;
#else
                   got = *v + 1;
#endif
                 }));
  assert(got == 1);
}
