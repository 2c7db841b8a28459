// The only list of operation kinds: what a visible operation does, and to what.
//
// The numbers are written into schedules and traces: append new ones, never change or reuse one. A new primitive adds its kinds here. No
// other code of the project switches over kinds: all rooms ask kind_info() for the roles below.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

// What an operation does with regard to order and conflicts.
enum Role : uint16_t {
  kReads = 1 << 0,      // observes the object's state
  kWrites = 1 << 1,     // changes the object's state (two ops conflict if one of them writes)
  kAcquires = 1 << 2,   // joins the object's release clock (atomics: only with an acquiring order)
  kReleases = 1 << 3,   // publishes to the object's release clock (atomics: only with a releasing order)
  kBlocks = 1 << 4,     // may have to wait
  kAtomic = 1 << 5,     // the roles acquire/release depend on Event::memory_order
  kPlain = 1 << 6,      // a plain access made visible by the input
  kHoldsLock = 1 << 7,  // takes a lock that its thread then holds
  kDropsLock = 1 << 8,  // gives that lock back
  kThread = 1 << 9,     // the object is a thread
  kPassive = 1 << 10,   // never useful as a chain element, because it has no effect that another thread could see
  kYields = 1 << 11,    // says "I cannot go on usefully"
};

// HEDDLE_KIND(name, number, roles)
#define HEDDLE_KINDS(HEDDLE_KIND)                                              \
  HEDDLE_KIND(none, 0, kPassive)                                               \
  HEDDLE_KIND(thread_create, 1, kThread | kWrites | kReleases)                 \
  HEDDLE_KIND(thread_start, 2, kThread | kReads | kAcquires)                   \
  HEDDLE_KIND(thread_exit, 3, kThread | kWrites | kReleases)                   \
  HEDDLE_KIND(thread_join, 4, kThread | kReads | kAcquires | kBlocks)          \
  HEDDLE_KIND(thread_detach, 5, kThread | kWrites)                             \
  HEDDLE_KIND(process_exit, 6, kThread | kWrites)                              \
  HEDDLE_KIND(thread_cancel, 7, kThread | kWrites | kReleases)                 \
  HEDDLE_KIND(thread_cancelled, 8, kThread | kReads | kAcquires)               \
  HEDDLE_KIND(mutex_lock, 10, kReads | kWrites | kAcquires | kBlocks | kHoldsLock)       \
  HEDDLE_KIND(mutex_trylock, 11, kReads | kWrites | kAcquires | kHoldsLock)    \
  HEDDLE_KIND(mutex_timedlock, 12, kReads | kWrites | kAcquires | kBlocks | kHoldsLock)  \
  HEDDLE_KIND(mutex_unlock, 13, kWrites | kReleases | kDropsLock)              \
  HEDDLE_KIND(mutex_destroy, 14, kWrites)                                      \
  HEDDLE_KIND(cond_wait, 20, kWrites)                                          \
  HEDDLE_KIND(cond_wake, 21, kReads | kAcquires | kBlocks)                     \
  HEDDLE_KIND(cond_signal, 22, kWrites | kReleases)                            \
  HEDDLE_KIND(cond_broadcast, 23, kWrites | kReleases)                         \
  HEDDLE_KIND(cond_destroy, 24, kWrites)                                       \
  HEDDLE_KIND(rwlock_rdlock, 30, kReads | kAcquires | kBlocks | kHoldsLock)    \
  HEDDLE_KIND(rwlock_wrlock, 31, kReads | kWrites | kAcquires | kBlocks | kHoldsLock)    \
  HEDDLE_KIND(rwlock_tryrdlock, 32, kReads | kAcquires | kHoldsLock)           \
  HEDDLE_KIND(rwlock_trywrlock, 33, kReads | kWrites | kAcquires | kHoldsLock) \
  HEDDLE_KIND(rwlock_unlock, 34, kWrites | kReleases | kDropsLock)             \
  HEDDLE_KIND(rwlock_destroy, 35, kWrites)                                     \
  HEDDLE_KIND(atomic_load, 40, kReads | kAcquires | kAtomic)                   \
  HEDDLE_KIND(atomic_store, 41, kWrites | kReleases | kAtomic)                 \
  HEDDLE_KIND(atomic_rmw, 42, kReads | kWrites | kAcquires | kReleases | kAtomic)        \
  HEDDLE_KIND(atomic_cas, 43, kReads | kWrites | kAcquires | kReleases | kAtomic)        \
  HEDDLE_KIND(atomic_fence, 44, kAtomic | kAcquires | kReleases)               \
  HEDDLE_KIND(plain_read, 50, kReads | kPlain)                                 \
  HEDDLE_KIND(plain_write, 51, kWrites | kPlain)                               \
  HEDDLE_KIND(sleep, 60, kPassive | kBlocks | kYields)                         \
  HEDDLE_KIND(yield, 61, kPassive | kYields)                                   \
  HEDDLE_KIND(spin_pause, 62, kPassive | kYields)                              \
  /* Before a clock is read. Its choice says how much time passes, for all threads. */   \
  HEDDLE_KIND(clock_jump, 63, 0)                                               \
  HEDDLE_KIND(once_begin, 70, kReads | kWrites | kAcquires | kBlocks)          \
  HEDDLE_KIND(once_end, 71, kWrites | kReleases)                               \
  HEDDLE_KIND(semaphore_post, 80, kWrites | kReleases)                         \
  HEDDLE_KIND(semaphore_wait, 81, kReads | kWrites | kAcquires | kBlocks)      \
  HEDDLE_KIND(semaphore_trywait, 82, kReads | kWrites | kAcquires)             \
  HEDDLE_KIND(barrier_arrive, 85, kReads | kWrites | kReleases)                \
  HEDDLE_KIND(barrier_leave, 86, kReads | kAcquires | kBlocks)                 \
  HEDDLE_KIND(futex_wait, 90, kReads | kBlocks)                                \
  HEDDLE_KIND(futex_wake, 91, kWrites)                                         \
  HEDDLE_KIND(channel_send, 100, kReads | kWrites | kAcquires | kReleases | kBlocks)     \
  HEDDLE_KIND(channel_receive, 101, kReads | kWrites | kAcquires | kReleases | kBlocks)  \
  HEDDLE_KIND(channel_close, 102, kWrites | kReleases)                         \
  HEDDLE_KIND(select, 103, kReads | kWrites | kAcquires | kReleases | kBlocks) \
  HEDDLE_KIND(wait_group_add, 104, kWrites | kReleases)                        \
  HEDDLE_KIND(wait_group_wait, 105, kReads | kAcquires | kBlocks)              \
  /* What annotations tell: nothing happens there, and no choice stands before it. */    \
  HEDDLE_KIND(annotated_lock, 110, kPassive | kAcquires | kHoldsLock)          \
  HEDDLE_KIND(annotated_rdlock, 111, kPassive | kAcquires | kHoldsLock)        \
  HEDDLE_KIND(annotated_unlock, 112, kPassive | kReleases | kDropsLock)        \
  HEDDLE_KIND(annotated_rdunlock, 113, kPassive | kReleases | kDropsLock)      \
  HEDDLE_KIND(order_acquire, 114, kPassive | kAcquires)                        \
  HEDDLE_KIND(order_release, 115, kPassive | kReleases)                        \
  /* Gives out a number. The object is what had it last: it was closed before. */ \
  HEDDLE_KIND(descriptor_open, 119, kWrites | kAcquires)                       \
  HEDDLE_KIND(descriptor_read, 120, kReads | kWrites | kAcquires | kBlocks)    \
  HEDDLE_KIND(descriptor_write, 121, kReads | kWrites | kReleases | kBlocks)   \
  HEDDLE_KIND(descriptor_wait, 122, kReads | kAcquires | kBlocks)              \
  HEDDLE_KIND(descriptor_close, 123, kWrites | kReleases)                      \
  HEDDLE_KIND(signal_send, 124, kWrites | kReleases)                           \
  HEDDLE_KIND(signal_wait, 125, kReads | kWrites | kAcquires | kBlocks)       \
  HEDDLE_KIND(signal_expect, 116, kWrites)                                     \
  HEDDLE_KIND(signal_handle, 117, kReads | kWrites | kAcquires)                \
  HEDDLE_KIND(file_read, 126, kReads)                                          \
  HEDDLE_KIND(file_write, 127, kWrites)                                        \
  /* Into a library that is not instrumented: what it does there is not visible. */     \
  HEDDLE_KIND(library_call, 118, kReads | kWrites)

enum class Kind : uint8_t {
#define HEDDLE_KIND(name, number, roles) name = number,
  HEDDLE_KINDS(HEDDLE_KIND)
#undef HEDDLE_KIND
};

inline constexpr int kKindLimit = 128;  // every kind number is below this

struct KindInfo {
  std::string_view name;  // the name in text schedules, traces and reports; empty: no such kind
  uint16_t roles = kPassive;

  constexpr bool has(Role r) const { return (roles & r) != 0; }
};

namespace detail {
struct KindTable {
  KindInfo info[kKindLimit];
  constexpr KindTable() : info{} {
#define HEDDLE_KIND(name, number, roles) info[number] = {#name, static_cast<uint16_t>(roles)};
    HEDDLE_KINDS(HEDDLE_KIND)
#undef HEDDLE_KIND
  }
};
inline constexpr KindTable kKindTable{};
}  // namespace detail

// Total: each byte gives an entry. An unknown kind has an empty name and only kPassive.
constexpr const KindInfo& kind_info(Kind kind) {
  return detail::kKindTable.info[static_cast<uint8_t>(kind) % kKindLimit];
}

constexpr bool conflicting(Kind a, Kind b) {
  const KindInfo& x = kind_info(a);
  const KindInfo& y = kind_info(b);
  return ((x.roles | y.roles) & kWrites) != 0 && ((x.roles & (kReads | kWrites)) != 0) &&
         ((y.roles & (kReads | kWrites)) != 0);
}

// The kind with that name. Kind::none (and found = false, if requested) if there is none.
constexpr Kind kind_by_name(std::string_view name, bool* found = nullptr) {
  for (int i = 0; i < kKindLimit; ++i) {
    if (!detail::kKindTable.info[i].name.empty() && detail::kKindTable.info[i].name == name) {
      if (found) *found = true;
      return static_cast<Kind>(i);
    }
  }
  if (found) *found = false;
  return Kind::none;
}

}  // namespace heddle
