// The record of one block of the execution's heap. It is beside the block's memory and never in it, so that a wild write of the program does not break it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Who gave a block back.
struct Freed {
  uint32_t thread;   // index
  uint32_t site;     // index
  uint32_t context : 31;  // node
  uint32_t again : 1 = 0;  // others had been given the block before, and had given it back
};

enum class BlockState : uint32_t {
  none,   // nobody has been given it in this execution
  live,
  kept,   // live, and it outlives its execution
  freed,  // by a controlled thread in this execution, and nobody has been given it since: freeing it once more is a double free
  held,   // the same, and it is in the quarantine (heap/quarantine.h)
  gone,   // given back by nobody that is known
};

struct HeapRecord {
  uint32_t word;  // the state; of a small block that can be given out also the next one of its size; of a live one whether somebody had it before
  Freed by;

  static constexpr int kNextBits = 28;
  static constexpr uint32_t kNext = (1u << kNextBits) - 1;

  BlockState state() const { return static_cast<BlockState>(word >> kNextBits); }
  uint32_t next() const { return word & kNext; }
  void set(BlockState state, uint32_t next = 0) { word = static_cast<uint32_t>(state) << kNextBits | next; }
  bool is_live() const { return state() == BlockState::live || state() == BlockState::kept; }
  // Into the next execution; `all`: as what is live does.
  bool stays(bool all) const { return all ? is_live() : state() == BlockState::kept; }
  bool is_freed() const { return state() == BlockState::freed || state() == BlockState::held; }
};
static_assert(sizeof(HeapRecord) == 16);

// A block as a table has it.
struct HeapBlock {
  uintptr_t begin = 0;
  size_t size = 0;  // of all that belongs to it, asked for or not
  HeapRecord* record = nullptr;

  explicit operator bool() const { return record != nullptr; }
};

// What becomes of the memory between executions: it is zero again, whatever its next owner asks for. What is beyond this goes back to the system.
inline constexpr size_t kKeptMemory = 2 << 20;

}  // namespace heddle::rt
