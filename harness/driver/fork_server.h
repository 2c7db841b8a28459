// Executions in processes of their own, for programs whose state cannot be put back (choose_restore.h).
//
// A server is forked off at the start, while there is little to copy, and never runs the program: each execution is a child of it, which begins with the state that the
// process had then, whatever the engine's process has done since. What the engine wants of it comes back through shared memory: what it covered, the
// recorded run, the result. A finding is reported by the child; the engine's process then dies of it, so that the input is saved.
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
