// heddle: expect=assertion budget=500
// A receive that finds the channel closed is taken for a value.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(closed_is_zero) {
  const heddle::chan<int> c = heddle::make_chan<int>();
  const heddle::chan<int> quit = heddle::make_chan<int>();
  heddle::go([=] {
    heddle::select(heddle::on_send(c, 5), heddle::on_receive(quit));
    c.close();
  });
  heddle::go([=] { quit.close(); });
  const std::optional<int> got = c.receive();
#ifdef FIXED
  assert(got.value_or(5) == 5);
#else
  assert(got.value_or(0) == 5);
#endif
}
