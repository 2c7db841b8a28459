// heddle: expect=send_on_closed_channel budget=500
// After serving#3068: wait() closes the pool's channel while others still submit.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(pool_closed) {
  const heddle::chan<int> work = heddle::make_chan<int>(1);
  heddle::wait_group workers, submitters;
  workers.go([work] {
    for ([[maybe_unused]] int w : work) {}
  });
  for (int i = 0; i < 2; ++i) submitters.go([work, i] { work.send(i); });
#ifdef FIXED
  submitters.wait();
#endif
  work.close();
  workers.wait();
#ifndef FIXED
  submitters.wait();
#endif
}
