// heddle: expect=blocked_threads budget=500
// A worker offers a result or waits for the order to stop. Nobody takes the result any more, and nobody says stop.
#include <heddle/csp.h>

HEDDLE_FUZZ_TEST(select_all_gone) {
  const heddle::chan<int> results = heddle::make_chan<int>(), stop = heddle::make_chan<int>();
  heddle::go([=] {
    for (bool stopped = false; !stopped;) {
      heddle::select(heddle::on_send(results, 1, [] {}), heddle::on_receive(stop, [&](auto) { stopped = true; }));
    }
  });
  (void)results.receive();
#ifdef FIXED
  stop.send(0);
#endif
}
