// Who has freed which block, in this execution.
//
//   freed   by a controlled thread, and nobody has been given it again: freeing it once more is a double free, whatever the allocator would make
//           of it. The race detector marks its memory (race_detector_freed), so that an access to it is a use after free.
//   held    the same, and the allocator has not been given it yet (heap/quarantine.h): nobody can have it, whatever is not seen.
//
// Of the executions' own heap its records say so (heap/execution_heap.h). The table here is for blocks of glibc's: from before the execution, or
// the engine's. It is exact, because every block that glibc hands out passes our shims. Kernel threads outside of heddle's control cannot look here:
// when one of them is given a block, all that has been freed is forgotten.
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
