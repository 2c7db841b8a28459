// While other threads run, a thread may be held up for long before it reads a clock. So the clock can jump there (schema/clock_jumps.h): with one
// seed in eight, or if the schedule prefers it. Only then is it an operation. Not with kPatientTimeouts.
#pragma once

#include <time.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// Before the current thread reads `clock` at `place`.
void may_jump(clockid_t clock, Place place);

}  // namespace heddle::rt::primitives
