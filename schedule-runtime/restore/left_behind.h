// Memory that executions leave behind: memory of abandoned threads, memory that variables owned before they were restored, and leaks of the program.
// It is freed when the execution ends, and the next one finds the heap, and the addresses of mappings, as the first one did. (With ASan the heap is
// not freed: leaks are for LeakSanitizer.)
//
// Memory that may still be in use is kept. A conservative scan finds it from HEDDLE_KEEP variables and from the data of shared libraries (a buffer
// given to setvbuf, a pointer registered with a library). If the harness keeps its state itself, all is kept. Mappings are not scanned.
#pragma once

#include <cstddef>

namespace heddle::rt {

// Called between executions, after the initial state was restored.
void renew_memory();
// Bytes of the heap that were reclaimed since the process began.
size_t reclaimed_bytes();

}  // namespace heddle::rt
