// Which thread has freed which block, in this execution.
//
//   freed   by a controlled thread, and not reallocated since. Freeing it again is a double free, whatever the allocator would do. The race
//           detector marks its memory (race_detector_freed), so that an access to it is a use after free.
//   held    the same, and the allocator has not got it yet (heap/quarantine.h): no one can have reallocated it, seen or unseen.
//
// The executions' own heap has this in its records (heap/execution_heap.h). The table here is for glibc's blocks: those from before the execution, and
// the engine's. It is exact, because every block that glibc gives out passes heddle's shims. Kernel threads that are not controlled cannot use the
// table: if one of them gets a block, all that was freed is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heap/heap_record.h"

namespace heddle::rt::heap_blocks {

// Forgets everything. Admits the calling thread.
void begin();
// A new execution: what was freed is forgotten.
void begin_execution();
// The calling thread is the engine's or a controlled one. On any other, nothing here does anything, but see given_elsewhere.
void admit_thread();
bool admitted();

// glibc has given the block to somebody.
void given_elsewhere(const void* block);
// A controlled thread frees it; `held`: for the quarantine. Null; or who freed it before, and nothing changes.
const Freed* freed(const void* block, const Freed& by, bool held = false);
// glibc is given a held block now. False: it is not held.
bool let_go(const void* block);
// Who has freed it, a block of the executions' heap or of glibc's. Null: it may well be live.
const Freed* find_freed(const void* block);
// It is freed by somebody else.
void forget(const void* block);

}  // namespace heddle::rt::heap_blocks
