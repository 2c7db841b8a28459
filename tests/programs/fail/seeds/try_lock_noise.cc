// heddle: expect=assertion budget=1000
// A try_lock behind a thousand rendezvous: it practically never succeeds while the other thread holds the lock, and never before it does.
#include <heddle/csp.h>

#include <cassert>
#include <mutex>

namespace {
constexpr int kRuns = 1000;
std::mutex m;
bool done;  // under m
}  // namespace

HEDDLE_FUZZ_TEST(try_lock_noise) {
  const heddle::chan<int> c = heddle::make_chan<int>();
  heddle::go([] {
    const std::lock_guard lock(m);
    done = true;
  });
  heddle::go([c] {
    for (int i = 0; i < kRuns; ++i) c.send(1);
  });
  for (int i = 0; i < kRuns; ++i) c.receive();
  if (m.try_lock()) {
#ifndef FIXED
    assert(done);
#endif
    m.unlock();
  }
}
