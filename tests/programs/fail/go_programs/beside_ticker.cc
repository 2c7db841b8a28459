// heddle: expect=blocked_threads budget=2000
// The worker gives up when it sees `cancelled` first, and then nobody sends the result. A ticker goes on beside it, and reports for ever.
#include <heddle/csp.h>

#include <atomic>
#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(beside_ticker) {
  const heddle::chan<int> result = heddle::make_chan<int>(), stop = heddle::make_chan<int>();
  std::atomic<int> reports{0};
  std::atomic<bool> cancelled{false};
  heddle::wait_group all;
  all.go([&] {
    heddle::ticker every(1s);
    while (heddle::select(heddle::on_receive(every.channel()), heddle::on_receive(stop)) == 0) ++reports;
  });
  all.go([&] {
#ifdef FIXED
    result.send(cancelled ? -1 : 42);
#else
    if (!cancelled) result.send(42);
#endif
  });
  cancelled = true;
  result.receive();
  stop.close();
  all.wait();
}
