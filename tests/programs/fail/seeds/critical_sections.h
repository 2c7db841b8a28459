// Two critical sections of one lock; nothing but the lock orders them. To turn them round, an operation of the second must be moved
// before the *first* one's lock: before its unlock, as the flipped chain <lock2, unlock1> says, is too late.
#pragma once

#include <heddle/csp.h>

#include <cassert>
#include <mutex>

namespace {
std::mutex m;
int first;  // whose section was first

void section(int who) {
  const std::lock_guard lock(m);
  if (first == 0) first = who;
}

// Fails if the thread's section (1) or main's (2) is the first.
[[maybe_unused]] void critical_sections(int wrong) {
  heddle::wait_group all;
  all.go([] { section(1); });
  section(2);
  all.wait();
#ifdef FIXED
  wrong = 3;
#endif
  assert(first != wrong);
}
}  // namespace
