// Wait groups and once flags on real threads. Each is one word. The call that ends a wait does not
// access the object after it has changed that word: the waiting thread can destroy it at once.
#ifndef HEDDLE_DETAIL_WAIT_GROUP_REAL_H_
#define HEDDLE_DETAIL_WAIT_GROUP_REAL_H_

#include <heddle/detail/parking.h>

#include <climits>

namespace heddle::detail::real {

// A bit in a wait group's count: a thread sleeps. It is cleared when the count becomes zero.
inline constexpr int64_t kSomebodyWaits = int64_t{1} << 62;

inline uint32_t* low_half(int64_t* count) {
  return reinterpret_cast<uint32_t*>(count) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0);
}

// Returns 0; 1: the count would become negative or too large, and is unchanged.
[[gnu::noinline]] inline int wait_group_add(int64_t* count, int64_t delta) {
  uint32_t* address = low_half(count);
  int64_t seen = __atomic_load_n(count, __ATOMIC_RELAXED), next;
  do {
    const int64_t present = seen & ~kSomebodyWaits;
    if (delta < -present || delta >= kSomebodyWaits - present) return 1;
    next = present + delta;
    if (next != 0) next |= seen & kSomebodyWaits;
  } while (
      !__atomic_compare_exchange_n(count, &seen, next, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  if (next == 0 && (seen & kSomebodyWaits) != 0) futex_wake(address, INT_MAX);
  return 0;
}

[[gnu::noinline]] inline void wait_group_wait(int64_t* count) {
  int64_t seen = __atomic_load_n(count, __ATOMIC_ACQUIRE);
  while (seen != 0) {
    const int64_t waits = seen | kSomebodyWaits;
    if (seen != waits && !__atomic_compare_exchange_n(count, &seen, waits, true, __ATOMIC_ACQUIRE,
                                                      __ATOMIC_ACQUIRE)) {
      continue;
    }
    futex_wait(low_half(count), static_cast<uint32_t>(waits));
    seen = __atomic_load_n(count, __ATOMIC_ACQUIRE);
  }
}

inline constexpr uint32_t kOnceNew = 0, kOnceRuns = 1, kOnceDone = 2, kOnceAwaited = 3;

// True: the caller runs the function. False: it has already run.
[[gnu::noinline]] inline bool once_start(uint32_t* state) {
  uint32_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  while (seen != kOnceDone) {
    if (seen == kOnceNew) {
      if (__atomic_compare_exchange_n(state, &seen, kOnceRuns, true, __ATOMIC_ACQUIRE,
                                      __ATOMIC_ACQUIRE))
        return true;
      continue;
    }
    if (seen == kOnceRuns && !__atomic_compare_exchange_n(state, &seen, kOnceAwaited, true,
                                                          __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      continue;
    }
    futex_wait(state, kOnceAwaited);
    seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  }
  return false;
}

[[gnu::noinline]] inline void once_finish(uint32_t* state, bool complete) {
  const uint32_t before =
      __atomic_exchange_n(state, complete ? kOnceDone : kOnceNew, __ATOMIC_ACQ_REL);
  if (before == kOnceAwaited) futex_wake(state, INT_MAX);
}

}  // namespace heddle::detail::real

#endif  // HEDDLE_DETAIL_WAIT_GROUP_REAL_H_
