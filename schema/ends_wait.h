// Which operations can end another thread's wait.
#pragma once

#include "schema/kinds.h"

namespace heddle {

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
