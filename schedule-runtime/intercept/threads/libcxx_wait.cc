// std::atomic::wait and notify of libc++, and its semaphores, latches and barriers. Their headers check the value; the waiting is in the
// library.
//
// If the atomic has four bytes, the library waits on it. Otherwise it waits on a number in its own table, which each notification changes.
// Several atomics share such a number, and all their waiters are woken. The library waits for at most two seconds and then checks again. So
// a program that forgets a notification is only slow with the library. Here, a thread waits until it is notified.
//
// A thread in libc++ that only polls with pauses waits here for a notification of any atomic (include/heddle/overlay).
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

#include "base/address_map.h"
#include "base/reserved_array.h"
#include "intercept/threads/libcxx.h"
#include "primitives/atomic.h"
#include "primitives/futex.h"
#include "primitives/timing.h"

using namespace heddle::rt;

namespace {

using Address = const volatile void*;

struct Queue {
  uint32_t notified;  // how often
  uint32_t waiters;
};

// For controlled threads: one for each atomic that an execution has waited for or notified.
class Queues {
 public:
  Queue& of(Address atomic) {
    queues_.reserve(kMost);
    by_address_.initialise(6);
    if (execution_ != engine().begun()) {
      execution_ = engine().begun();
      queues_.clear();
      by_address_.clear();
    }
    bool inserted;
    uint32_t& slot = by_address_.find_or_insert(reinterpret_cast<uintptr_t>(atomic), inserted);
    if (inserted) {
      check(!queues_.full(), "more than 65,536 atomics that threads wait for, in one execution");
      slot = static_cast<uint32_t>(queues_.size());
      queues_.push() = {};
    }
    return queues_[slot];
  }

 private:
  static constexpr size_t kMost = 1 << 16;
  uint64_t execution_ = 0;
  AddressMap by_address_;
  ReservedArray<Queue> queues_;
};
constinit Queues g_queues;

// For other threads, as in the library, with one queue.
struct Shared {
  alignas(64) uint32_t notified = 0;
  alignas(64) uint32_t waiters = 0;
};
constinit Shared g_shared;

void wait_on(const uint32_t* word, uint32_t value, uint64_t nanoseconds) {
  constexpr uint64_t kSecond = 1'000'000'000;
  const timespec limit = {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
  __atomic_fetch_add(&g_shared.waiters, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nanoseconds != 0 ? &limit : nullptr, nullptr, 0);
  __atomic_fetch_sub(&g_shared.waiters, 1, __ATOMIC_SEQ_CST);
}

void wake(const uint32_t* word, int most) {
  if (__atomic_load_n(&g_shared.waiters, __ATOMIC_SEQ_CST) != 0) syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}

constexpr Address kAny = nullptr;
constexpr uint64_t kNoLimit = 0;

const uint32_t* word_of(Address atomic) { return const_cast<const uint32_t*>(static_cast<const volatile uint32_t*>(atomic)); }

void wait_in(Queue& queue, const uint32_t* word, uint32_t value, uint64_t nanoseconds, Place place) {
  const uint64_t deadline = nanoseconds == kNoLimit ? kNever : engine().now() + nanoseconds;
  ++queue.waiters;
  primitives::futex_wait(word, value, FUTEX_BITSET_MATCH_ANY, deadline, place);
  --queue.waiters;
}

// Under a weak memory model, the number is an atomic as in the library: who sees a notification sees what came before it.
uint32_t notified(const Queue& queue, Place place) {
  return graph::active() ? primitives::atomic_load(&queue.notified, __ATOMIC_ACQUIRE, place) : queue.notified;
}

void notify_in(Queue& queue, const uint32_t* word, uint32_t most, Place place) {
  if (graph::active()) primitives::atomic_rmw<primitives::Rmw::add>(&queue.notified, 1u, __ATOMIC_RELEASE, place);
  else ++queue.notified;
  if (queue.waiters != 0) primitives::futex_wake(word, most, FUTEX_BITSET_MATCH_ANY, place);
}

// `itself`: waits on the atomic.
[[gnu::always_inline]] inline void wait(Address atomic, bool itself, int value, Place place, uint64_t nanoseconds = kNoLimit) {
  const auto expected = static_cast<uint32_t>(value);
  if (current_thread() == nullptr) return wait_on(itself ? word_of(atomic) : &g_shared.notified, expected, nanoseconds);
  Queue& queue = g_queues.of(atomic);
  wait_in(queue, itself ? word_of(atomic) : &queue.notified, expected, nanoseconds, place);
}

[[gnu::always_inline]] inline void notify(Address atomic, bool itself, uint32_t most, Place place) {
  if (current_thread() == nullptr) {
    if (itself) return wake(word_of(atomic), static_cast<int>(most));
    __atomic_fetch_add(&g_shared.notified, 1, __ATOMIC_SEQ_CST);
    return wake(&g_shared.notified, INT_MAX);
  }
  Queue& any = g_queues.of(kAny);
  notify_in(any, &any.notified, INT_MAX, place);
  Queue& queue = g_queues.of(atomic);
  notify_in(queue, itself ? word_of(atomic) : &queue.notified, itself ? most : INT_MAX, place);
}

int monitor(Address atomic, Place place) {
  return static_cast<int>(current_thread() != nullptr ? notified(g_queues.of(atomic), place) : __atomic_load_n(&g_shared.notified, __ATOMIC_SEQ_CST));
}

// Of an atomic that threads wait on itself.
int monitor_value(const volatile uint32_t* atomic, Place place) {
  const bool weak = current_thread() != nullptr && graph::active();
  return static_cast<int>(weak ? primitives::atomic_load(atomic, __ATOMIC_ACQUIRE, place) : __atomic_load_n(atomic, __ATOMIC_SEQ_CST));
}

}  // namespace

// std::__1::__libcpp_atomic_monitor, __libcpp_atomic_wait, __cxx_atomic_notify_one and _all: first for any atomic, then for one of the
// kernel's size.
HEDDLE_LIBCXX(int, _ZNSt3__123__libcpp_atomic_monitorEPVKv, (Address atomic)) { return monitor(atomic, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__120__libcpp_atomic_waitEPVKvi, (Address atomic, int value)) { wait(atomic, false, value, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__123__cxx_atomic_notify_oneEPVKv, (Address atomic)) { notify(atomic, false, INT_MAX, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__123__cxx_atomic_notify_allEPVKv, (Address atomic)) { notify(atomic, false, INT_MAX, HEDDLE_HERE); }

HEDDLE_LIBCXX(int, _ZNSt3__123__libcpp_atomic_monitorEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE, (Address atomic)) {
  return monitor_value(word_of(atomic), HEDDLE_HERE);
}
HEDDLE_LIBCXX(void, _ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi, (Address atomic, int value)) {
  wait(atomic, true, value, HEDDLE_HERE);
}
HEDDLE_LIBCXX(void, _ZNSt3__123__cxx_atomic_notify_oneEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE, (Address atomic)) {
  notify(atomic, true, 1, HEDDLE_HERE);
}
HEDDLE_LIBCXX(void, _ZNSt3__123__cxx_atomic_notify_allEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE, (Address atomic)) {
  notify(atomic, true, INT_MAX, HEDDLE_HERE);
}

// From libc++ 20 on: __atomic_monitor_global and similar functions, and those for a number of bytes that the kernel waits on.
HEDDLE_LIBCXX(int, _ZNSt3__123__atomic_monitor_globalEPKv, (Address atomic)) { return monitor(atomic, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__126__atomic_wait_global_tableEPKvi, (Address atomic, int value)) { wait(atomic, false, value, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__139__atomic_wait_global_table_with_timeoutEPKvim, (Address atomic, int value, uint64_t nanoseconds)) {
  wait(atomic, false, value, HEDDLE_HERE, nanoseconds);
}
HEDDLE_LIBCXX(void, _ZNSt3__132__atomic_notify_one_global_tableEPKv, (Address atomic)) { notify(atomic, false, INT_MAX, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__132__atomic_notify_all_global_tableEPKv, (Address atomic)) { notify(atomic, false, INT_MAX, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__120__atomic_wait_nativeILm4EEEvPKvS2_, (Address atomic, const int* value)) { wait(atomic, true, *value, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__133__atomic_wait_native_with_timeoutILm4EEEvPKvS2_m, (Address atomic, const int* value, uint64_t nanoseconds)) {
  wait(atomic, true, *value, HEDDLE_HERE, nanoseconds);
}
HEDDLE_LIBCXX(void, _ZNSt3__126__atomic_notify_one_nativeILm4EEEvPKv, (Address atomic)) { notify(atomic, true, 1, HEDDLE_HERE); }
HEDDLE_LIBCXX(void, _ZNSt3__126__atomic_notify_all_nativeILm4EEEvPKv, (Address atomic)) { notify(atomic, true, INT_MAX, HEDDLE_HERE); }

// Called by the header. On controlled threads only.
HEDDLE_SHIM unsigned heddle_libcxx_notifications() { return notified(g_queues.of(kAny), HEDDLE_HERE); }
HEDDLE_SHIM void heddle_libcxx_wait(unsigned notifications, unsigned long long nanoseconds) {
  Queue& any = g_queues.of(kAny);
  wait_in(any, &any.notified, notifications, nanoseconds, HEDDLE_HERE);
}
