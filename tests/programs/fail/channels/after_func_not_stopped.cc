// heddle: expect=send_on_closed_channel budget=500
// A watchdog sends on a channel that is closed when the work is done: stop() says whether it came in time.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(after_func_not_stopped) {
  auto late = heddle::make_chan<void>(1);
  heddle::func_timer watchdog = heddle::after_func(1s, [late] { late.send(); });
  std::this_thread::sleep_for(500ms);
#ifdef FIXED
  if (!watchdog.stop()) late.receive();
#else
  watchdog.stop();
#endif
  late.close();
}
