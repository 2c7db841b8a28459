// heddle: expect=wait_group_misuse budget=500
// The second round begins when the work of the first is done, and not when its waiters are through.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(wait_group_next_round) {
  static heddle::wait_group round;
  heddle::wait_group waiters;
  auto through = heddle::make_chan<void>(1);
  round.add(1);
  waiters.go([&, through] {
    round.wait();
    through.send();
  });
  round.done();
#ifdef FIXED
  through.receive();
#else
  round.wait();
#endif
  round.add(1);
  round.done();
  waiters.wait();
}
