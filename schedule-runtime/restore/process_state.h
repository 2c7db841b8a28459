// State of a process outside of the program's variables. It is restored between executions of a whole program that share a process. This
// uses calls of the C library, because heddle must not overwrite the library's data.
//
// Covered: the environment with its strings, the standard descriptors, descriptors that were not closed, files that stdio still has open and data that it
// has not written; and, after a call has changed them, the buffers of the standard streams. (restore/touched_state.h has the state that calls can
// change in any execution, also in a harness.) If no call can undo a change, that is noted: then each execution needs its own process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace heddle::rt {

// Saves the state. Called once, before the first execution.
void capture_process_state();
// Restores it. Does nothing before capture_process_state(). REQUIRES: no controlled thread is running.
void restore_process_state();
// Called outside of executions: descriptors with high numbers that are open now stay open.
void keep_high_descriptors();

// Their values at this time: a program may set these variables.
inline bool is_standard_stream(const FILE* stream) { return stream == stdin || stream == stdout || stream == stderr; }

// Called by shims on a controlled thread of a program: this call has given a standard stream another buffer.
void touched_stream_buffers();
// ... or this call has changed something that is not restored. The name is static.
void note_unrestorable(const char* call);
// The first such call, or dlopen if it has loaded a library since capture_process_state(); null: none.
const char* unrestorable_call();

// Called by shims: the call has no effect in an execution, and the user gets one note about it. Returns the first such call; null: none.
void note_ignored(const char* call);
const char* ignored_call();

// The number of calls of dlopen, counted by its shim. The libraries that it loads may not be instrumented.
void note_library_opened();
uint32_t libraries_opened();

}  // namespace heddle::rt
