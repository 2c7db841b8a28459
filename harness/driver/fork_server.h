// Executions in their own processes, for programs whose state cannot be restored (choose_restore.h).
//
// The server is forked at the start, while there is little to copy, and never runs the program. Each execution is a child of the server. It begins with the state that
// the process had at the start, whatever the engine's process has done since. Coverage, the recorded run and the result come back to the engine through shared
// memory. The child reports a finding. Then the engine's process ends with the same failure, so that the engine saves the input.
#pragma once

#include <cstdint>
#include <span>

#include "harness/driver/measurement.h"
#include "schema/event.h"

namespace heddle::driver {

// False: the system refuses; a line says so.
bool start_fork_server();
bool has_fork_server();

// The engine's standard output and error, of which it may have closed some since the server began (-close_fd_mask), are the server's from now on.
void send_outputs();

// What the program does when executions share a process, found out in a child that does nothing else.
Measurement measure_in_child();

// The summary lives until the next call. Does not return after a finding.
const RunSummary& run_forked(std::span<const uint8_t> input);

// To be called from a signal handler of the engine's: has the execution that is under way report what it does (analyses/time_out.h), and end. False: there is
// none in a process of its own.
bool tell_forked_time_out();

}  // namespace heddle::driver
