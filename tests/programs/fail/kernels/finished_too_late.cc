// heddle: expect=blocked_threads budget=500
// After kubernetes#5316: after a time-out the caller returns, and the child is left sending its result.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(finished_too_late) {
#ifdef FIXED
  constexpr size_t kRoom = 1;
#else
  constexpr size_t kRoom = 0;
#endif
  const heddle::chan<int> result = heddle::make_chan<int>(kRoom);
  const heddle::chan<int> error = heddle::make_chan<int>(kRoom);
  heddle::go([=] {
    if (std::chrono::steady_clock::now().time_since_epoch().count() % 2 == 0) result.send(1); else error.send(1);
  });
  heddle::select(heddle::on_receive(result), heddle::on_receive(error), heddle::on_receive(heddle::after(1ms)));
}
