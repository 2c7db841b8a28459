// heddle: expect=blocked_threads budget=500
// A producer asks for the stop signal before each value, and then waits for a receiver that has stopped.
#include <heddle/csp.h>

namespace {

void produce(heddle::send_chan<int> out, heddle::recv_chan<void> stop) {
  for (int i = 0; i < 3; ++i) {
#ifdef FIXED
    if (heddle::select(heddle::on_send(out, i), stop) == 1) return;
#else
    if (heddle::try_select(stop)) return;
    out.send(i);
#endif
  }
}

}  // namespace

HEDDLE_FUZZ_TEST(stop_only_polled) {
  auto numbers = heddle::make_chan<int>();
  auto stop = heddle::make_chan<void>();
  heddle::go(produce, numbers, stop);
  numbers.receive();
  stop.close();
}
