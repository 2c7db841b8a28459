// Futexes: the waiting half of std::atomic::wait, latches, semaphores of the C++ library, futures and of locks made by hand.
//
// The word is an atomic of the program's: what it orders comes from the atomic operations on it. The futex's own
// object stands for the queue of waiters alone, and a wake gives an edge to the wait that it ends and to nothing else.
//
// A wait is two operations: the first compares the word and enqueues, the second leaves when woken, when its time has
// come, or spuriously. Which waiter a wake takes is a choice.
#pragma once

#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// 0, EAGAIN (the word differs) or ETIMEDOUT. deadline kNever: without a time limit.
int futex_wait(const uint32_t* word, uint32_t expected, uint32_t bitset, uint64_t deadline, Place place);
// How many it has woken: at most `limit`, of those whose bitset meets this one.
uint32_t futex_wake(const uint32_t* word, uint32_t limit, uint32_t bitset, Place place);

}  // namespace heddle::rt::primitives
