// heddle: expect=assertion budget=500
// A thread that comes late finds one tick, not all that it missed. So ticks must not be counted.
#include <heddle/csp.h>

#include <cassert>
#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(missed_ticks) {
  const auto start = std::chrono::steady_clock::now();
  heddle::ticker every(10ms);
  const heddle::chan<int> work = heddle::make_chan<int>(1);
  heddle::go([work] {
    heddle::after(15ms).receive();
    work.send(1);
  });
  int ticks = 0;
  while (ticks < 4) {
    heddle::select(heddle::on_receive(every.channel(), [&](auto) { ++ticks; }),
                   heddle::on_receive(work, [&](auto) { heddle::after(25ms).receive(); }));
  }
  [[maybe_unused]] const auto passed = std::chrono::steady_clock::now() - start;
#ifdef FIXED
  assert(passed >= 40ms);
#else
  assert(passed < 50ms);
#endif
}
