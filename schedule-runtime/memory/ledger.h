// The program's heap blocks that controlled threads allocated in this execution and that still live. When an execution abandons threads, what
// they alone held can be given back, so that a long campaign does not grow.
//
// Used by one kernel thread only: calls on any other thread do nothing.
#pragma once

#include <cstddef>

namespace heddle::rt::ledger {

// A new execution: nothing is known. Calls the next.
void begin();
// The calling thread is the engine's or a controlled one: it may free what they allocated.
void admit_thread();
void allocated(void* block, size_t size);
// False: not in the ledger.
bool freed(void* block);
size_t live_blocks();
size_t live_bytes();
// Frees what still lives, through `release` (free). To be called by the owner of the initial state only: nothing that outlives the
// execution may point to these blocks.
void reclaim(void (*release)(void*));

}  // namespace heddle::rt::ledger
