// The record of one block of the execution's heap. It is beside the block's memory and never in it, so that a wild write of the program does not break it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Who freed a block.
struct Freed {
  static constexpr uint32_t kManyEvents = (1u << 18) - 1;

  uint32_t thread : 14;  // index
  uint32_t events : 18 = kManyEvents;  // of the run, before it; kManyEvents: so many or more
  uint32_t site;     // index
  uint32_t context : 31;  // node
  uint32_t again : 1 = 0;  // the memory had an earlier owner before the one that freed it
};

enum class BlockState : uint32_t {
  none,   // not allocated in this execution
  live,
  kept,   // live, and it outlives its execution
  freed,  // by a controlled thread in this execution, and not reallocated since: freeing it again is a double free
  held,   // the same, and it is in the quarantine (heap/quarantine.h)
  gone,   // freed by unknown code
};

struct HeapRecord {
  uint32_t word;  // the state. Also: in a small block that can be reused, the next one of its size; in a live block, whether its memory had an earlier owner
  Freed by;

  static constexpr int kNextBits = 28;
  static constexpr uint32_t kNext = (1u << kNextBits) - 1;

  BlockState state() const { return static_cast<BlockState>(word >> kNextBits); }
  uint32_t next() const { return word & kNext; }
  void set(BlockState state, uint32_t next = 0) { word = static_cast<uint32_t>(state) << kNextBits | next; }
  bool is_live() const { return state() == BlockState::live || state() == BlockState::kept; }
  // True if the block survives into the next execution. `all`: every live block does.
  bool stays(bool all) const { return all ? is_live() : state() == BlockState::kept; }
  bool is_freed() const { return state() == BlockState::freed || state() == BlockState::held; }
};
static_assert(sizeof(HeapRecord) == 16);

// A block as a table returns it.
struct HeapBlock {
  uintptr_t begin = 0;
  size_t size = 0;  // usable size, not the requested size
  HeapRecord* record = nullptr;

  explicit operator bool() const { return record != nullptr; }
};

// Between executions memory becomes zero again, for whichever block uses it next. Memory beyond this limit goes back to the system instead.
inline constexpr size_t kKeptMemory = 2 << 20;

}  // namespace heddle::rt
