// The program's heap from before the first execution, as far as its variables lead to it: for example a global container that its constructor
// filled, or what LLVMFuzzerInitialize set up. It is part of the initial state (docs/design/runtime-laws.md#what-an-execution-depends-on). Without
// it, restored variables would point to memory that an execution has freed, and the next execution would crash without a bug of the program.
//
// So an execution never frees these blocks, and their contents are restored between executions. They are found as by a conservative collector:
// starting from the program's variables, each word that points into a block keeps that block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt::early_heap {

struct Range {
  const unsigned char* begin;
  size_t size;
};

// Called by the allocator's shims until the state is captured. `caller` is the code that asked for the block; 0: not known. Calls from kernel
// threads other than the first are ignored.
void allocated(void* block, size_t size, uintptr_t caller);
void freed(void* block);
// Every call of the allocator reads this.
extern bool g_captured;
inline bool captured() { return g_captured; }

// Finds the blocks that are reachable from `roots`, and saves their contents. Called once. Blocks of other callers than `belongs` says are left
// out: the C library keeps what it allocates for itself or for its callers, such as a FILE.
void capture(const Range* roots, size_t count, bool (*belongs)(uintptr_t caller));
// Restores their contents. Returns the number of bytes in changed blocks. Calls the callback, if it is not null, before each of these
// blocks is written.
using Overwrites = void (*)(const void* block, size_t size);
size_t restore(Overwrites overwrites);
// Is this one of those blocks? Then it must not be freed or moved.
bool keeps(const void* block);
// Number of bytes covered.
size_t size();

}  // namespace heddle::rt::early_heap
