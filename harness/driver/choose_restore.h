// How a whole program gets back to its start between executions: in process, which is fast, or by a process for each execution, which is
// always right. HEDDLE_OPTIONS=restore=process|fork|auto.
#pragma once

#include <cstdint>
#include <span>

#include "schema/event.h"

namespace heddle::driver {

// At the start of the process: what the options ask for is checked, and a fork server begins where one may be needed.
void prepare_restore();

// Before the first execution. With `auto`, tries in a process of its own whether a second execution is like the first; says what it chose, and
// why. A call that cannot be undone, seen later, still makes it fork from there on.
void choose_restore();

// Runs the program once, in the way chosen.
const RunSummary& run_program(std::span<const uint8_t> input);

// After an execution, of a harness too: says, once for a process, that a call of it has no effect.
void tell_ignored();

}  // namespace heddle::driver
