// heddle: expect=mixed_deadlock|blocked_threads|deadlock|lost_wakeup budget=500
// After grpc#1460: the keepalive waits to be woken with the lock in hand that a new stream needs to wake it.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(keepalive) {
  static std::mutex m;
  static bool dormant;
  const heddle::chan<int> awaken = heddle::make_chan<int>();
  heddle::wait_group all;
  all.go([=] {
    m.lock();
    dormant = true;
#ifdef FIXED
    m.unlock();
    awaken.receive();
#else
    awaken.receive();
    m.unlock();
#endif
  });
  all.go([=] {
    m.lock();
    const bool wake = dormant;
    m.unlock();
#ifdef FIXED
    (void)wake;
    awaken.send(1);
#else
    if (wake) awaken.send(1); else awaken.close();
#endif
  });
  all.wait();
}
