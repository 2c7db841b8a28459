// Executions in their own processes, for programs whose state cannot be restored (choose_restore.h).
//
// The server is forked at the start, while there is little to copy, and never runs the program. Each execution is a child of the server. So
// it always begins with the state that the process had at the start. Coverage, the recorded run and the result come back to the engine's
// process through shared memory. The child reports a finding. Then the engine's process ends with the same failure, so that the engine
// saves the input.
#pragma once

#include <cstdint>
#include <span>

#include "harness/driver/measurement.h"
#include "schema/event.h"

namespace heddle::driver {

// Returns false, and prints a line, if the system refuses.
bool start_fork_server();
bool has_fork_server();

// Passes the current standard output and error of the engine's process to the server. The engine may have closed some since the server
// began (-close_fd_mask).
void send_outputs();

// Tests in a child process how the program behaves when executions share a process.
Measurement measure_in_child();

// The summary is valid until the next call. Does not return after a finding.
const RunSummary& run_forked(std::span<const uint8_t> input);
// The program's exit code in the last forked execution. 0 also if that was cut short.
int forked_exit_code();

// Call it from a signal handler of the engine. The running execution then reports what it does (analyses/time_out.h), and ends. Returns
// false if no execution runs in its own process.
bool tell_forked_time_out();

}  // namespace heddle::driver
