// heddle: expect=blocked_threads|assertion budget=2000
// After istio#18454 (which no mode of the original tools finds): on a change the timer is stopped; stop() says that there was nothing to stop, so
// its channel is drained, although the tick has been received already.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(reset_timer) {
  const heddle::cancelable run = heddle::with_cancel(heddle::context::background());
  const heddle::chan<int> changes = heddle::make_chan<int>(1);
  heddle::go([changes] {
    for (int i = 0; i < 3; ++i) {
      heddle::after(3ms).receive();
      changes.send(i);
    }
    changes.close();
  });
  heddle::timer delay(10ms);
  bool more = true;
  while (more) {
    heddle::select(heddle::on_receive(delay.channel()), heddle::on_receive(changes, [&](auto change) {
                     if (!change) {
                       more = false;
                       return;
                     }
#ifdef FIXED
                     delay.stop();
#else
                     if (!delay.stop()) delay.channel().receive();
#endif
                     delay.reset(3ms);
                   }));
  }
}
