// Waits until a point in time in the program's initialisation, whose time is virtual (engine/initialisation.h): its thread is alone, so only time ends
// them.
#pragma once

#include <time.h>

#include "base/kernel_clock.h"
#include "engine/initialisation.h"
#include "primitives/timing.h"

namespace heddle::rt {

// Calls `wait(time)`. In the initialisation, `time` is the kernel's at which as much will have passed. It has passed if the wait fails; a sleep,
// if it does not.
template <typename Wait>
int wait_until_kernel_time(clockid_t clock, const timespec* time, Wait wait, bool sleeps = false) {
  if (!initialises() || time == nullptr || !primitives::valid_timespec(*time)) return wait(time);
  const uint64_t left = primitives::left_of_early_clock(clock, *time);
  const timespec until = primitives::timespec_of(kernel_clock(clock) + left);
  const int result = wait(&until);
  if ((result == 0) == sleeps) initialisation().pass(left);
  return result;
}

}  // namespace heddle::rt
