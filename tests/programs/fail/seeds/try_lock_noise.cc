// heddle: expect=assertion budget=1000
// A try_lock that practically always comes when the other thread has had the lock and has given it back.
#include "noise.h"

#include <cassert>
#include <mutex>

namespace {
std::mutex m;
bool done;  // under m
}  // namespace

HEDDLE_FUZZ_TEST(try_lock_noise) {
  heddle::go([] {
    const std::lock_guard lock(m);
    done = true;
  });
  noise();
  if (m.try_lock()) {
#ifndef FIXED
    assert(done);
#endif
    m.unlock();
  }
}
