// heddle: expect=blocked_threads budget=2000
// Main waits for a result or an error. The worker that sees `cancelled` first gives neither. A ticker goes on beside it, and reports for ever.
#include <heddle/csp.h>

#include <atomic>
#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(select_beside_ticker) {
  const heddle::chan<int> result = heddle::make_chan<int>(), error = heddle::make_chan<int>(), stop = heddle::make_chan<int>();
  std::atomic<int> reports{0};
  std::atomic<bool> cancelled{false};
  heddle::wait_group all;
  all.go([&] {
    heddle::ticker every(1s);
    while (heddle::select(heddle::on_receive(every.channel()), heddle::on_receive(stop)) == 0) ++reports;
  });
  all.go([&] {
    if (!cancelled) result.send(42);
#ifdef FIXED
    else error.send(1);
#endif
  });
  cancelled = true;
  heddle::select(heddle::on_receive(result), heddle::on_receive(error));
  stop.close();
  all.wait();
}
