// What the birth and death of heap blocks mean for an execution.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// A controlled thread got this block from the allocator: what lay there before is forgotten, objects included. `caller` is the
// code that asked; only the program's own blocks go into the ledger (a stream's buffer outlives the execution).
void block_born(void* block, size_t size, uintptr_t caller);
// In place by realloc: the bytes from `old_size` on are new.
void block_grown(void* block, size_t old_size, size_t size, uintptr_t caller);

}  // namespace heddle::rt
