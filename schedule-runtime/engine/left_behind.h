// Heap that executions leave behind: what abandoned threads held, what variables owned before they were put back, and what the program leaks.
// Without ASan it is given back now and then, so that a long campaign does not grow. (With ASan leaks are for LeakSanitizer, and nothing is
// touched.)
//
// Blocks that may still be in use are kept: those that a conservative scan finds from HEDDLE_KEEP variables or from the data of shared libraries
// (a buffer given to setvbuf, a pointer registered with a library).
#pragma once

#include <cstddef>

namespace heddle::rt {

// To be called between executions, after the initial state has been put back: nothing happens until enough has gathered. Returns the bytes
// given back.
size_t reclaim_left_behind();
// Since the process began.
size_t reclaimed_bytes();

}  // namespace heddle::rt
