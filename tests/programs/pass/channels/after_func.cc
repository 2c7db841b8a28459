// heddle: expect=pass runs=500 options=report_races=1
// The function is called once for each time that stop() and reset() came too late, and not at all if they were in time.
#include <heddle/csp.h>

#include <cassert>
#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(after_func) {
  auto called = heddle::make_chan<int>(4);
  int round = 1;
  heddle::func_timer timer = heddle::after_func(1s, [called, &round] { called.send(round); });
  std::this_thread::sleep_for(900ms);
  if (!timer.stop()) assert(*called.receive() == 1);
  round = 2;
  assert(!timer.reset(1s));
  heddle::func_timer same = timer;
  if (!same.reset(2s)) assert(*called.receive() == 2);
  assert(*called.receive() == 2);
  assert(!timer.stop());
  heddle::func_timer none;
  assert(!none && !none.stop());
}
