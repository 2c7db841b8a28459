// heddle: expect=mixed_deadlock|blocked_threads budget=500
// After istio#16224: a handler takes the lock and says that it is done; main wants the lock before it listens.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(lock_then_done) {
  static std::mutex m;
  const heddle::chan<int> done = heddle::make_chan<int>();
  [[maybe_unused]] static int notified;
  heddle::go([done] {
    const std::lock_guard lock(m);
    ++notified;
    done.send(1);
  });
#ifdef FIXED
  done.receive();
#endif
  m.lock();
  ++notified;
  m.unlock();
#ifndef FIXED
  done.receive();
#endif
}
