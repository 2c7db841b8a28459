// Which operations can end another thread's wait, and from when on what a thread has not done counts as never done.
#pragma once

#include <cstdint>

#include "schema/kinds.h"

namespace heddle {

// A thread that has slept so often, or waited in vain until its time came, is a service: it only repeats what it has done.
inline constexpr uint32_t kLeastRoundsOfService = 1024;

// On the same object. False for operations that only wait there themselves.
constexpr bool may_end_wait(Kind kind) {
  switch (kind) {
    case Kind::cond_wait:
    case Kind::cond_wake:
    case Kind::semaphore_wait:
    case Kind::semaphore_trywait:
    case Kind::barrier_leave:
    case Kind::futex_wait:
    case Kind::wait_group_wait:
    case Kind::signal_wait:
    case Kind::signal_expect:
    case Kind::thread_join: return false;
    default: return true;
  }
}

}  // namespace heddle
