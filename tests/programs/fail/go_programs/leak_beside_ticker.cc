// heddle: expect=blocked_threads budget=2000
// Who asks gives up after a while. Then the worker can never send its answer: the channel has no room. A ticker is never stopped, and reports for ever.
#include <heddle/csp.h>

#include <atomic>
#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(leak_beside_ticker) {
  static std::atomic<int> reports;
  reports = 0;
#ifdef FIXED
  const heddle::chan<int> answers = heddle::make_chan<int>(1);
#else
  const heddle::chan<int> answers = heddle::make_chan<int>();
#endif
  heddle::go([] {
    heddle::ticker every(1s);
    for (auto at : every.channel()) {
      (void)at;
      ++reports;
    }
  });
  heddle::go([=] { answers.send(42); });
  heddle::select(heddle::on_receive(answers), heddle::on_receive(heddle::after(100ms)));
}
