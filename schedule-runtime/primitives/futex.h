// Futexes: the waiting half of std::atomic::wait, latches, the C++ library's semaphores, futures and hand-made locks.
//
// The word is an atomic of the program: the order comes from the atomic operations on it. The futex's own object represents only the queue
// of waiters. A wake has an edge to the wait that it ends, and to nothing else.
//
// A wait is two operations. The first compares the word and enqueues. The second goes on after a wake, a time-out or a spurious wake-up.
// Which waiter a wake takes is a choice.
#pragma once

#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// Returns 0, EAGAIN (the word differs) or ETIMEDOUT. deadline kNever: no time limit.
int futex_wait(const uint32_t* word, uint32_t expected, uint32_t bitset, uint64_t deadline, Place place);
// The name of a futex of heddle's own in reports. It is valid for the execution.
void futex_label(const uint32_t* word, const char* label, Place place);
// The thread that waits in this operation wakes up spuriously.
void futex_wake_without_cause(Pending& p);
// Returns how many it has woken: at most `limit` waiters whose bitset shares a bit with this one.
uint32_t futex_wake(const uint32_t* word, uint32_t limit, uint32_t bitset, Place place);
// FUTEX_WAKE_OP: changes the word `other` and wakes waiters of `word`, and also of `other` if what it was before fulfils a condition. `how` encodes
// the change and the condition, as for the kernel. One step: no thread comes in between. Returns how many it has woken, or -ENOSYS.
long futex_wake_op(const uint32_t* word, uint32_t limit, uint32_t* other, uint32_t other_limit, uint32_t how, Place place);
// FUTEX_REQUEUE and FUTEX_CMP_REQUEUE: wakes at most `limit` waiters of `word`, and lets at most `other_limit` of the rest wait on `other` instead. Does
// nothing and returns -EAGAIN if the word is not `expected`; null: it is not compared. Returns how many it has woken or moved (without a comparison:
// woken).
long futex_requeue(const uint32_t* word, uint32_t limit, const uint32_t* other, uint32_t other_limit, const uint32_t* expected, Place place);

}  // namespace heddle::rt::primitives
