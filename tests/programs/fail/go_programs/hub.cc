// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=1000
// A hub sends to its subscribers under its lock, and a subscriber that leaves wants that lock
// before it stops receiving.
#include <heddle/csp.h>

#include <map>
#include <mutex>

namespace {
struct Hub {
  std::mutex m;
  std::map<int, heddle::chan<int>> subscribers;

  heddle::chan<int> subscribe(int id) {
    const auto c = heddle::make_chan<int>(2);
    const std::lock_guard lock(m);
    subscribers[id] = c;
    return c;
  }
  void publish(int value) {
    const std::lock_guard lock(m);
    for (const auto& [id, c] : subscribers) {
#ifdef FIXED
      heddle::select(heddle::on_send(c, value), heddle::otherwise());
#else
      c.send(value);
#endif
    }
  }
  void leave(int id) {
    const std::lock_guard lock(m);
    subscribers.erase(id);
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(hub) {
  Hub hub;
  heddle::wait_group all;
  for (int s = 0; s < 2; ++s) {
    const auto events = hub.subscribe(s);
    all.go([&hub, events, s] {
      heddle::select(heddle::on_receive(events), heddle::otherwise());
      if (s == 0) hub.leave(0);
    });
  }
  all.go([&hub] {
    for (int i = 0; i < 3; ++i) hub.publish(i);
  });
#ifndef FIXED
  // The other one is drained; only the one that leaves is not.
  all.go([&hub] {
    heddle::chan<int> second;
    {
      const std::lock_guard lock(hub.m);
      second = hub.subscribers[1];
    }
    for (int i = 0; i < 3; ++i) heddle::select(heddle::on_receive(second), heddle::otherwise());
  });
#endif
  all.wait();
}
