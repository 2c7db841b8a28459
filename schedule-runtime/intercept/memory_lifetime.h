// What the birth and death of heap blocks mean for an execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"
#include "heap/heap_record.h"

namespace heddle::rt {

// What lay there is forgotten: the memory has changed hands.
void memory_born(uintptr_t address, size_t size);
// A controlled thread got this block from the allocator: what lay there before is forgotten, objects included. `caller` is the code that asked.
void block_born(void* block, size_t size, uintptr_t caller);
// The thread gives a block back: a write to it, for races and as a choice point where the input says so (as TSan has it).
void block_dies(void* block, size_t size, Place place);
// `block` is about to be given back from `place`. Reports what cannot be a block and what was freed before; and then gives nothing, or says no.
// To be called before anything looks at it. REQUIRES of the first: it lies in the executions' heap.
HeapBlock block_to_end(const void* block, Place place);
bool may_be_freed(const void* block, Place place);
// One of glibc's is being given back now, and no other thread runs in between. `held`: it goes to the quarantine. False: it had been freed,
// which is reported.
bool freed_once(const void* block, Place place, bool held);
// From now on an access to it is a use after free. `size`: of all that belonged to it.
void no_longer_accessed(const void* block, size_t size, Place place);
Freed freed_here(Place place);
// Is this code of the executable? What uninstrumented libraries do with their blocks is ordered by means that nobody sees.
bool of_program(uintptr_t pc);
// In place by realloc: the bytes from `old_size` on are new.
void block_grown(void* block, size_t old_size, size_t size);

}  // namespace heddle::rt
