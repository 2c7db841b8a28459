// The heap's blocks, as far as heddle keeps books on them, one entry for each address.
//
//   live    the program's, allocated by a controlled thread in this execution or an earlier one, and not freed yet. Between executions
//           that is what they have left behind (engine/left_behind.h).
//   freed   freed by a controlled thread in this execution, and nobody has been given it again: freeing it once more is a double free,
//           whatever the allocator would make of it. The race detector marks its memory (race_detector_freed), so that an access to it is
//           a use after free.
//   held    the same, and the allocator has not been given it yet (memory/quarantine.h): nobody can have it, whatever is not seen.
//
// Exact, because every block that the allocator hands out passes its shims, those that libraries ask for included. Kernel threads outside of
// heddle's control cannot look here: when one of them is given a block, all that has been freed is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt::heap_blocks {

struct Freed {
  uint32_t thread;   // index
  uint32_t site;     // index
  uint32_t context;  // node
};

// Forgets everything. Admits the calling thread.
void begin();
// A new execution: what was freed is forgotten, what is live is not.
void begin_execution();
// The calling thread is the engine's or a controlled one. On any other, nothing here does anything, but see given_elsewhere.
void admit_thread();

// The allocator has given the block to the program, on a controlled thread; or has made it larger or smaller.
void given(const void* block, size_t size);
// It has given it to anybody else: a library, the engine, a thread that is not admitted.
void given_elsewhere(const void* block);
// A controlled thread frees it; `held`: for the quarantine. Null; or who freed it before, and nothing changes.
const Freed* freed(const void* block, const Freed& by, bool held = false);
// The allocator is given a held block now. False: it is not held.
bool let_go(const void* block);
// Who has freed it. Null: it may well be live.
const Freed* find_freed(const void* block);
// Whether it was live, which it no longer is.
bool forget(const void* block);

size_t live_blocks();
size_t live_bytes();
using Visit = void (*)(void* block, size_t size, void* argument);
void visit_live(Visit callback, void* argument);

}  // namespace heddle::rt::heap_blocks
