// heddle: expect=data_race budget=200 options=report_races=1
// stop() does not wait for the function.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(after_func_race) {
  [[maybe_unused]] static int calls;
  auto called = heddle::make_chan<void>(1);
  heddle::func_timer timer = heddle::after_func(1s, [called] {
    ++calls;
    called.send();
  });
  std::this_thread::sleep_for(2s);
  if (timer.stop()) return;
#ifdef FIXED
  called.receive();
#endif
  ++calls;
}
