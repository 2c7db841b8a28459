// heddle: expect=assertion budget=1000
// A load that practically always sees the other thread's store: no channel and no lock is there to be reordered.
#include "noise.h"

#include <atomic>
#include <cassert>

namespace {
std::atomic<int> a;
}

HEDDLE_FUZZ_TEST(store_load_noise) {
  a.store(0);
  heddle::go([] { a.store(1); });
  noise();
#ifndef FIXED
  assert(a.load() != 0);
#else
  a.load();
#endif
}
