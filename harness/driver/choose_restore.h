// How the state of a whole program is restored between executions: in process, which is fast, or with a process for each execution, which is
// always right. HEDDLE_OPTIONS=restore=process|fork|auto.
#pragma once

#include <cstdint>
#include <span>

#include "schema/event.h"

namespace heddle::driver {

// Call it at the start of the process. Checks the option, and starts a fork server if one may be needed.
void prepare_restore();

// Call it before the first execution. With `auto`, it tests in another process whether a second execution is like the first, and prints its
// choice and the reason. If a later execution makes a call that cannot be undone, the executions after it are forked.
void choose_restore();

// Instead of these two, for the command's executions (request_worker.h). Some of them are compared with a first one, so nothing is tested before.
bool can_restore_in_process();
void restore_in_process();
// An execution in this process has changed what the next one would see.
bool left_traces();

// Runs the program once, in the chosen way.
const RunSummary& run_program(std::span<const uint8_t> input);

// Call it after each execution, also for a harness. If the execution made a call without effect, it prints a note, once per process.
void tell_ignored();

}  // namespace heddle::driver
