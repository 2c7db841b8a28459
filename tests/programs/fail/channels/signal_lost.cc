// heddle: expect=blocked_threads budget=500
// A signal is sent without waiting: it is lost if nobody waits for it yet and the channel has no room.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(signal_lost) {
#ifdef FIXED
  auto wake = heddle::make_chan<void>(1);
#else
  auto wake = heddle::make_chan<void>();
#endif
  heddle::wait_group all;
  all.go([wake = heddle::recv_chan<void>(wake)] { wake.receive(); });
  heddle::try_select(heddle::on_send(wake));
  all.wait();
}
