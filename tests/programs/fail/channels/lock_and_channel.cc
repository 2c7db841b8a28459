// heddle: expect=mixed_deadlock|blocked_threads budget=500
// One thread sends with the lock in hand, the other takes the lock before it receives.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(lock_and_channel) {
  std::mutex m;
  const heddle::chan<int> c = heddle::make_chan<int>();
  [[maybe_unused]] int received = 0, sent = 0;
  heddle::wait_group all;
  all.go([&] {
#ifdef FIXED
    {
      const std::lock_guard lock(m);
      ++sent;
    }
    c.send(1);
#else
    const std::lock_guard lock(m);
    ++sent;
    c.send(1);
#endif
  });
  {
    const std::lock_guard lock(m);
    ++received;
  }
  c.receive();
  all.wait();
}
