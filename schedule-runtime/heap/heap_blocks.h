// Which thread has freed which block, in this execution.
//
//   freed   by a controlled thread, and not reallocated since. Freeing it again is a double free, whatever the allocator would do. The race
//           detector marks its memory (race_detector_freed), so that an access to it is a use after free.
//   held    the same, but the allocator does not have it yet (heap/quarantine.h). So it cannot have been reallocated, not even unseen.
//
// The execution heap has this information in its records (heap/execution_heap.h). The table here is for glibc's blocks: those from before
// the execution, and the fuzzing engine's. It is exact, because every block that glibc returns passes heddle's shims. Kernel threads that
// are not controlled cannot use the table. If one of them gets a block, all freed blocks are forgotten.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heap/heap_record.h"

namespace heddle::rt::heap_blocks {

// Forgets everything. Admits the calling thread.
void begin();
// A new execution begins: freed blocks are forgotten.
void begin_execution();
// The calling thread is the fuzzing engine's or a controlled one. On any other thread, these functions do nothing, except given_elsewhere.
void admit_thread();
bool admitted();

// glibc has returned the block to a caller.
void given_elsewhere(const void* block);
// A controlled thread frees the block. `held`: the quarantine holds it. Returns null. If the block is already freed, returns who freed it,
// and nothing changes.
const Freed* freed(const void* block, const Freed& by, bool held = false);
// The quarantine gives a held block to glibc now. False: it is not held.
bool let_go(const void* block);
// Who has freed this block of the execution heap or of glibc. Null: it is not known to be freed.
const Freed* find_freed(const void* block);
// Other code frees the block.
void forget(const void* block);

}  // namespace heddle::rt::heap_blocks
