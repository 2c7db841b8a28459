// heddle: expect=assertion budget=1000
// Two critical sections that practically always come in one order. To turn them round, the second one's lock must come before the first one's
// lock: before its unlock, as the flipped chain <lock2, unlock1> says, is too late if everything before the chain is replayed.
#include "noise.h"

#include <cassert>
#include <mutex>

namespace {
std::mutex m;
bool done;  // under m
}  // namespace

HEDDLE_FUZZ_TEST(critical_sections_noise) {
  heddle::go([] {
    const std::lock_guard lock(m);
    done = true;
  });
  noise();
  const std::lock_guard lock(m);
#ifndef FIXED
  assert(done);
#endif
}
