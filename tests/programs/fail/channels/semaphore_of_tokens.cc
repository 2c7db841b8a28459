// heddle: expect=blocked_threads|deadlock budget=1000
// A channel as a semaphore with two tokens, and each thread wants two.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(semaphore_of_tokens) {
  const heddle::chan<char> tokens = heddle::make_chan<char>(2);
  const heddle::chan<char> turn = heddle::make_chan<char>(1);
  heddle::wait_group all;
  for (int i = 0; i < 2; ++i) {
    all.go([=] {
#ifdef FIXED
      turn.send(0);
#endif
      tokens.send(0), tokens.send(0);
#ifdef FIXED
      turn.receive();
#endif
      tokens.receive(), tokens.receive();
    });
  }
  all.wait();
}
