// heddle: expect=mixed_deadlock budget=1000
// A worker holds the lock while it sends; the receiver takes the lock after each receive. Two rounds, and the second worker in
// between: it holds the lock and waits for the receiver, which waits for the lock.
#include <heddle/csp.h>

#include <mutex>

namespace {
std::mutex m;

void receiver(heddle::chan<bool> c) {
  for (int i = 0; i < 2; ++i) {
    c.receive();
    m.lock();
    m.unlock();
  }
}

void worker(heddle::chan<bool> c) {
#ifdef FIXED
  m.lock();
  m.unlock();
  c.send(true);
#else
  m.lock();
  c.send(true);
  m.unlock();
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(kubernetes) {
  const heddle::chan<bool> c = heddle::make_chan<bool>();
  heddle::go(receiver, c);
  heddle::go(worker, c);
  heddle::go(worker, c);
}
