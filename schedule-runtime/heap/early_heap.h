// The program's heap from before the first execution, as far as its variables lead to it: a container at namespace scope that was filled by its
// constructor, what LLVMFuzzerInitialize set up. It is part of the initial state (docs/design/runtime-laws.md#what-an-execution-depends-on).
// Without it, variables would be put back that point to memory which an execution has freed, and the next execution would crash for no
// fault of the program's.
//
// So those blocks are never given back by an execution, and their contents are put back between executions. Which they are is found like a
// conservative collector does: from the program's variables on, every word that points into a block keeps it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt::early_heap {

struct Range {
  const unsigned char* begin;
  size_t size;
};

// From the allocator's shims, for blocks that the program asked for, until the state is captured. Calls by another kernel thread
// than the first are ignored.
void allocated(void* block, size_t size);
void freed(void* block);
// Read by every call of the allocator.
extern bool g_captured;
inline bool captured() { return g_captured; }

// Finds the blocks that `roots` lead to, and remembers what is in them. Once.
void capture(const Range* roots, size_t count);
// Puts their contents back; returns the bytes of the blocks that had changed. Each of these is told of before, unless that is null.
using Overwrites = void (*)(const void* block, size_t size);
size_t restore(Overwrites overwrites);
// Is this one of those blocks? Then it must not be freed or moved.
bool keeps(const void* block);
// Bytes covered.
size_t size();

}  // namespace heddle::rt::early_heap
