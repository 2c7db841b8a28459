// heddle: expect=blocked_threads|deadlock budget=500
// stop() says that there was nothing to stop, which here means "received already" and not "it is in the channel": to receive it
// after that never returns.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(timer_stopped_late) {
  heddle::timer timer(10ms);
  const heddle::chan<int> reset = heddle::make_chan<int>();
  heddle::go([reset] {
    heddle::after(10ms).receive();
    reset.send(1);
  });
  for (bool more = true; more;) {
    heddle::select(heddle::on_receive(timer.channel()), heddle::on_receive(reset, [&](auto) {
                     more = false;
#ifdef FIXED
                     timer.stop();
#else
                     if (!timer.stop()) timer.channel().receive();
#endif
                   }));
  }
}
