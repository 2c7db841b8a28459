// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=1000
// After moby#28462: the state changes under the container's lock and stops the monitor by a message; the monitor wants the lock first.
#include <heddle/csp.h>

#include <mutex>

namespace {
struct Container {
  std::mutex m;
  bool healthy = true;
  heddle::chan<int> stop = heddle::make_chan<int>();

  void monitor() {
    for (bool more = true; more;) {
      heddle::select(heddle::on_receive(stop, [&](auto) { more = false; }), heddle::otherwise([&] {
                       const std::lock_guard lock(m);
                       healthy = !healthy;
                     }));
    }
  }
  void state_changed() {
#ifndef FIXED
    const std::lock_guard lock(m);
#endif
    stop.send(1);
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(monitor) {
  Container container;
  heddle::wait_group all;
  all.go([&] { container.monitor(); });
  container.state_changed();
  all.wait();
}
