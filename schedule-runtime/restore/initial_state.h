// The initial state of an execution: the program's writable data, restored between executions
// (docs/design/runtime-laws.md#what-an-execution-depends-on).
//
// Covered: .data, .bss and the user's own writable sections in the executable, from the markers of
// harness/link/user_data_begin.c on, and in its shared libraries that are loaded when the state is captured
// (restore/restored_modules.h); and the heap blocks from before the first execution that these variables lead to
// (heap/early_heap.h). Of large ranges, only pages that were written are checked (restore/large_data.h).
// Not covered: data of heddle, the engine and the sanitizers, coverage counters, relocation tables, thread-locals
// (the fiber room restores those), other heap memory, and variables that the user marked HEDDLE_KEEP.
#pragma once

#include <cstddef>

namespace heddle::rt {

// Saves the state. Called once, before the first execution and after everything that sets the program up. Later calls do nothing.
void capture_initial_state();

// Restores the state. Does nothing before capture_initial_state(). Returns the number of bytes written, in whole blocks. REQUIRES: no
// controlled thread is running.
size_t restore_initial_state();

// Whether the address is in the restored data.
bool in_initial_state(const void* address);

// Size of the restored data, for statistics. 0 before the capture, and if the harness or restore=0 has switched it off.
size_t initial_state_size();

}  // namespace heddle::rt
