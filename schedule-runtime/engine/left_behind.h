// Heap that executions leave behind: what abandoned threads held, what variables owned before they were put back, and what the program leaks.
// Without ASan it ends with the execution, and the next one finds the heap as the first one did. (With ASan leaks are for LeakSanitizer, and
// nothing is touched.)
//
// Blocks that may still be in use are kept: those that a conservative scan finds from HEDDLE_KEEP variables or from the data of shared libraries
// (a buffer given to setvbuf, a pointer registered with a library); and all, where the harness keeps its state itself.
#pragma once

#include <cstddef>

namespace heddle::rt {

// To be called between executions, after the initial state has been put back.
void renew_heap();
// Given back since the process began.
size_t reclaimed_bytes();

}  // namespace heddle::rt
