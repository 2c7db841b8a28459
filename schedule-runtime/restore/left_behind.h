// Memory that executions leave behind: what abandoned threads held, what variables owned before they were put back, and what the program leaks.
// It ends with the execution, and the next one finds the heap, and the addresses of mappings, as the first one did. (Not the heap with ASan: leaks are
// for LeakSanitizer.)
//
// What may still be in use is kept: what a conservative scan finds from HEDDLE_KEEP variables or from the data of shared libraries (a buffer given to
// setvbuf, a pointer registered with a library); and all, where the harness keeps its state itself. Mappings are not searched for pointers.
#pragma once

#include <cstddef>

namespace heddle::rt {

// To be called between executions, after the initial state has been put back.
void renew_memory();
// Of the heap, given back since the process began.
size_t reclaimed_bytes();

}  // namespace heddle::rt
