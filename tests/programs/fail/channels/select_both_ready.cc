// heddle: expect=assertion budget=500
// A select between work and quit does not prefer the work that is there.
#include <heddle/csp.h>

#include <cassert>

HEDDLE_FUZZ_TEST(select_both_ready) {
  const heddle::chan<int> work = heddle::make_chan<int>(3);
  const heddle::chan<int> quit = heddle::make_chan<int>();
  int done = 0;
  heddle::wait_group all;
  all.go([&] {
    while (heddle::select(heddle::on_receive(work, [&](auto) { ++done; }), heddle::on_receive(quit)) == 0) {}
#ifdef FIXED
    while (work.try_receive()) ++done;
#endif
  });
  for (int i = 0; i < 3; ++i) work.send(i);
  quit.close();
  all.wait();
  assert(done == 3);
}
