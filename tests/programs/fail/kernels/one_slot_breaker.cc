// heddle: expect=mixed_deadlock|blocked_threads|deadlock budget=2000
// After serving#2137: the holder of the breaker's only slot waits for a lock that is released only after the other request is finished.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(one_slot_breaker) {
  static std::mutex first, second;
  const heddle::chan<int> slot = heddle::make_chan<int>(1);
  const heddle::chan<int> through = heddle::make_chan<int>();
  const auto request = [=](std::mutex& m) {
    slot.send(1);
    m.lock();
    m.unlock();
    slot.receive();
    through.send(1);
  };
  first.lock();
  second.lock();
  heddle::wait_group all;
  all.go([=] { request(first); });
  all.go([=] { request(second); });
#ifdef FIXED
  first.unlock();
  second.unlock();
  through.receive();
#else
  first.unlock();
  through.receive();
  second.unlock();
#endif
  through.receive();
  all.wait();
}
