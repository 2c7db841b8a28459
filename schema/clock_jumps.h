// By how much the clock jumps before a thread reads it, in ns: choice 1 is the first. The numbers are written into schedules and traces, so
// append only.
//
// A thread can be held up for any time before it reads a clock. Each of these is enough for the limits of another kind of code: for
// retries; for leases and connections; for sessions and entries of a cache; for tokens and dates.
#pragma once

#include <cstdint>

#include "schema/identity.h"

namespace heddle {

inline constexpr uint64_t kClockJumps[] = {100'000'000, 10'000'000'000, 900'000'000'000, 90'000'000'000'000};

// Whether clocks jump in executions of inputs with this seed. In others they jump only where the schedule prefers it.
inline constexpr uint32_t kSeedsToJump = 8;
constexpr bool clocks_jump(uint64_t seed) { return mix(seed, 0x10CF) % kSeedsToJump == 0; }

}  // namespace heddle
