// heddle: expect=assertion budget=500
// A message is dropped where the receiver is not yet there: otherwise() is no queue.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(select_default) {
#ifdef FIXED
  const heddle::chan<int> changed = heddle::make_chan<int>(1);
#else
  const heddle::chan<int> changed = heddle::make_chan<int>();
#endif
  const heddle::chan<int> quit = heddle::make_chan<int>();
  bool seen = false;
  heddle::wait_group all;
  all.go([&] {
    heddle::select(heddle::on_receive(changed, [&](auto) { seen = true; }),
                   heddle::on_receive(quit, [&](auto) { seen = changed.try_receive().has_value(); }));
  });
  heddle::select(heddle::on_send(changed, 1), heddle::otherwise());
  quit.close();
  all.wait();
  assert(seen);
}
