// heddle: expect=blocked_threads budget=500
// size() says that there is one, and then another thread has it.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(try_receive_race) {
  const heddle::chan<int> c = heddle::make_chan<int>(2);
  c.send(1);
  heddle::wait_group all;
  for (int i = 0; i < 2; ++i) {
    all.go([c] {
#ifdef FIXED
      c.try_receive();
#else
      if (c.size() != 0) c.receive();
#endif
    });
  }
  all.wait();
}
