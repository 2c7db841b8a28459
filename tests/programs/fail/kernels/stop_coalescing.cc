// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=500
// After etcd#6873: stop() holds the lock and waits for the end of the other thread, which needs the lock before it can end.
#include <heddle/csp.h>

#include <mutex>

namespace {
struct Broadcasts {
  std::mutex m;
  int sent = 0;
  heddle::chan<int> updates = heddle::make_chan<int>();
  heddle::chan<int> ended = heddle::make_chan<int>();

  void loop() {
    for (int u : updates) {
      const std::lock_guard lock(m);
      sent += u;
    }
    ended.close();
  }
  void stop() {
#ifndef FIXED
    const std::lock_guard lock(m);
#endif
    updates.close();
    ended.receive();
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(stop_coalescing) {
  Broadcasts broadcasts;
  heddle::wait_group all;
  all.go([&] { broadcasts.loop(); });
  broadcasts.updates.send(1);
  broadcasts.stop();
  all.wait();
}
