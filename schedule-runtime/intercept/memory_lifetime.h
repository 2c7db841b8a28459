// What the birth and death of heap blocks mean for an execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt {

// What lay there is forgotten: the memory has changed hands.
void memory_born(uintptr_t address, size_t size);
// A controlled thread got this block from the allocator: what lay there before is forgotten, objects included. `caller` is the
// code that asked; only the program's own blocks count as its (a stream's buffer outlives the execution).
void block_born(void* block, size_t size, uintptr_t caller);
// The thread gives a block back: a write to it, for races and as a choice point where the input says so (as TSan has it).
void block_dies(void* block, size_t size, const Place& place);
// `block` is about to be given back from `place`: reports what cannot be a block, and what was freed before. To be called before anything looks at it.
void check_free(const void* block, const Place& place);
// It is being given back now, and no other thread runs in between: reports the same. From now on an access to it is a use after
// free. `size`: of all that belonged to it. `held`: it goes to the quarantine.
void block_freed(const void* block, size_t size, const Place& place, bool held = false);
// Is this code of the executable? What uninstrumented libraries do with their blocks is ordered by means that nobody sees.
bool of_program(uintptr_t pc);
// In place by realloc: the bytes from `old_size` on are new.
void block_grown(void* block, size_t old_size, size_t size, uintptr_t caller);

}  // namespace heddle::rt
