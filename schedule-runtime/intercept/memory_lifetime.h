// What allocating and freeing heap blocks means for an execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"
#include "heap/heap_record.h"

namespace heddle::rt {

// The memory has a new owner. What was there is forgotten.
void memory_born(uintptr_t address, size_t size);
// A controlled thread got this block from the allocator. What was there before is forgotten, including objects. `caller` is the code that
// asked.
void block_born(void* block, size_t size, uintptr_t caller);
// The thread frees a block. This is a write to the block, for races and, if the input asks for it, as a choice point (as in TSan).
void block_dies(void* block, size_t size, Place place);
// The same for a block of the execution heap that no_longer_accessed follows, unless another thread comes in between.
void block_ends(void* block, size_t size, Place place);
// `block` is about to be freed at `place`. Reports an invalid pointer or a double free; then returns an empty HeapBlock or false. Called
// before anything else uses the block. REQUIRES of the first function: the block is in the execution heap.
HeapBlock block_to_end(const void* block, Place place);
bool may_be_freed(const void* block, Place place);
// A block of glibc's is being freed now, and no other thread runs in between. `held`: it goes to the quarantine. False: it was already
// freed, which is reported.
bool freed_once(const void* block, Place place, bool held);
// Whether an access to the freed block is a use after free until the memory has a new owner.
bool watched_after_free(const void* block, size_t size);
// From now on it is, if it can be watched. `size` is the usable size; `site`: as in freed_here.
void no_longer_accessed(const void* block, size_t size, uint32_t site);
Freed freed_here(Place place);
// realloc has enlarged the block in place. The bytes from `old_size` on are new.
void block_grown(void* block, size_t old_size, size_t size);

}  // namespace heddle::rt
