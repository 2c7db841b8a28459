// What a process keeps outside of the program's variables, put back between executions of a whole program that share one: by the C
// library's own calls, since its data is not ours to write over.
//
// Covered: the environment with its texts, the standard descriptors and those that were not closed, files that stdio still has open and what it has
// not written; and, once a call has changed them, the buffers of the standard streams. (What calls change in any execution, harnesses' too, is
// restore/touched_state.h's.) What no call can undo is noted: then executions need a process each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace heddle::rt {

// Remembers the state. To be called once, before the first execution.
void capture_process_state();
// Puts it back. Nothing before capture_process_state(). REQUIRES: no controlled thread is running.
void restore_process_state();

// As they are now: a program may set these variables.
inline bool is_standard_stream(const FILE* stream) { return stream == stdin || stream == stdout || stream == stderr; }

// From shims, on a controlled thread of a program: this call has given a standard stream another buffer.
void touched_stream_buffers();
// ... or has changed something that is not put back. The name is static.
void note_unrestorable(const char* call);
// The first such call so far; null: none.
const char* unrestorable_call();

// From shims: this call has no effect in an execution, which its user should hear of once. The first one; null: none.
void note_ignored(const char* call);
const char* ignored_call();

// From the shim of dlopen: how often it has been called. What it loads may not be instrumented.
void note_library_opened();
uint32_t libraries_opened();

}  // namespace heddle::rt
