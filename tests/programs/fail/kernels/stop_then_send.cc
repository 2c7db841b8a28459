// heddle: expect=blocked_threads budget=1000
// After cockroach#1462: the producer checks whether it should stop, and then sends in any case. The consumer has left, and stop() waits
// for both.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(stop_then_send) {
  const heddle::chan<int> stop = heddle::make_chan<int>();
  const heddle::chan<int> events = heddle::make_chan<int>();
  heddle::wait_group all;
  all.go([=] {
    for (int i = 0; i < 2; ++i) {
#ifdef FIXED
      if (heddle::select(heddle::on_receive(stop), heddle::on_send(events, i)) == 0) return;
#else
      if (heddle::select(heddle::on_receive(stop), heddle::otherwise()) == 0) return;
      events.send(i);
#endif
    }
  });
  all.go([=] {
    while (heddle::select(heddle::on_receive(stop), heddle::on_receive(events)) == 1) {}
  });
  stop.close();
  all.wait();
}
