// A load that another thread's store may or may not have reached: no channel and no lock is there to be reordered.
#pragma once

#include <heddle/csp.h>

#include <atomic>
#include <cassert>

namespace {
std::atomic<int> a;

[[maybe_unused]] void store_load(int wrong) {
  a.store(0);
  heddle::go([] { a.store(1); });
#ifdef FIXED
  wrong = 2;
#endif
  assert(a.load() != wrong);
}
}  // namespace
