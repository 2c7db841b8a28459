// heddle: expect=blocked_threads budget=500
// stop() does not close a ticker's channel: a loop over its ticks does not end.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(ticker_stopped) {
  heddle::ticker every(10ms);
  const heddle::chan<int> quit = heddle::make_chan<int>();
  heddle::wait_group all;
  all.go([=] {
#ifdef FIXED
    while (heddle::select(heddle::on_receive(every.channel()), heddle::on_receive(quit)) == 0) {}
#else
    while (heddle::select(heddle::on_receive(every.channel())) == 0) {
      if (quit.try_receive()) break;
    }
#endif
  });
  heddle::after(35ms).receive();
  every.stop();
  quit.close();
  all.wait();
}
