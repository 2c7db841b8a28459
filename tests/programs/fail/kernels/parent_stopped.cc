// heddle: expect=blocked_threads budget=500
// After grpc#660: the parent returns when it is stopped; the child stays blocked sending that it is done.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(parent_stopped) {
  const heddle::chan<int> stop = heddle::make_chan<int>();
#ifdef FIXED
  const heddle::chan<int> done = heddle::make_chan<int>(1);
#else
  const heddle::chan<int> done = heddle::make_chan<int>();
#endif
  heddle::go([done] { done.send(1); });
  heddle::go([stop] { stop.close(); });
  heddle::select(heddle::on_receive(stop), heddle::on_receive(done));
}
