#pragma once

#include <sys/types.h>

#include "engine/engine.h"

namespace heddle::rt {

// syscall(SYS_fork) and syscall(SYS_vfork) on a controlled thread (intercept/threads/futex.cc): as fork(), without the handlers of pthread_atfork.
pid_t fork_by_number(Place place);

}  // namespace heddle::rt
