// heddle: expect=mixed_deadlock|blocked_threads budget=1000
// A buffered channel is no way out: the second value is sent under the lock that the receiver wants.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(full_under_lock) {
  std::mutex m;
  const heddle::chan<int> events = heddle::make_chan<int>(1);
  [[maybe_unused]] int handled = 0;
  heddle::wait_group all;
  for (int i = 0; i < 2; ++i) {
    all.go([&, i] {
#ifndef FIXED
      const std::lock_guard lock(m);
#endif
      events.send(i);
    });
  }
  for (int i = 0; i < 2; ++i) {
    {
      const std::lock_guard lock(m);
      ++handled;
    }
    events.receive();
  }
  all.wait();
}
