// heddle: expect=blocked_threads budget=1000
// After moby#33781 (which no mode of the original tools finds): when the monitor is stopped it returns without waiting for its probe.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(probe_stopped) {
  const heddle::chan<int> stop = heddle::make_chan<int>();
  heddle::go([stop] {
    heddle::after(10ms).receive();
    stop.close();
  });
  bool more = true;
  for (int probes = 0; more && probes < 3; ++probes) {
    bool probing = false;
    heddle::select(heddle::on_receive(stop, [&](auto) { more = false; }),
                   heddle::on_receive(heddle::after(10ms), [&](auto) { probing = true; }));
    if (!probing) continue;
#ifdef FIXED
    const heddle::chan<int> results = heddle::make_chan<int>(1);
#else
    const heddle::chan<int> results = heddle::make_chan<int>();
#endif
    heddle::go([results] { results.send(1); });
    heddle::select(heddle::on_receive(stop, [&](auto) { more = false; }), heddle::on_receive(results));
  }
}
