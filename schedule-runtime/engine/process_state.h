// What a process keeps outside of the program's variables, put back between executions of a whole program that share one: by the C
// library's own calls, since its data is not ours to write over.
//
// Covered: the environment, the standard descriptors and those that were not closed, files that stdio still has open and what it has not
// written, getopt's, rand()'s, drand48()'s and strtok()'s state, the file mode mask; and, once a call has changed them, the working directory,
// the locale, the buffers of the standard streams and what becomes of SIGPIPE. (Of signals and timers else an execution has its own: intercept/program_signals.cc.) What no call can undo is noted: then executions need a process each.
#pragma once

#include <cstddef>

namespace heddle::rt {

// Remembers the state. To be called once, before the first execution.
void capture_process_state();
// Puts it back. Nothing before capture_process_state(). REQUIRES: no controlled thread is running.
void restore_process_state();

// From shims, on a controlled thread of a program: this call has changed something that is then put back.
enum class Touched : unsigned { random = 1, directory = 2, locale = 4, buffers = 8, pipe_signal = 16 };
void touched_process_state(Touched what);
// ... and something that is not. The name is static.
void note_unrestorable(const char* call);
// The first such call so far; null: none.
const char* unrestorable_call();

// ... and something that has no effect in an execution, which its user should hear of once. The first one; null: none.
void note_ignored(const char* call);
const char* ignored_call();

// getopt's first call in an execution has to begin anew.
bool getopt_begins();

}  // namespace heddle::rt
