// What the birth and death of heap blocks mean for an execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt {

// A controlled thread got this block from the allocator: what lay there before is forgotten, objects included. `caller` is the
// code that asked; only the program's own blocks go into the ledger (a stream's buffer outlives the execution).
void block_born(void* block, size_t size, uintptr_t caller);
// The thread gives a block back: a write to it, for races and as a choice point where the input says so (as TSan has it).
void block_dies(void* block, size_t size, const Place& place);
// Is this code of the executable? What uninstrumented libraries do with their blocks is ordered by means that nobody sees.
bool of_program(uintptr_t pc);
// In place by realloc: the bytes from `old_size` on are new.
void block_grown(void* block, size_t old_size, size_t size, uintptr_t caller);

}  // namespace heddle::rt
