// The heap of executions. Controlled threads get their memory from it, unless a sanitizer or the program has its own allocator.
//
// It is at the same address in every process. Every execution begins with the same heap as the first one: zeroed, and with the same memory to
// give out next. So the same requests get the same addresses, and a program that orders or hashes pointers does the same each time.
//
// It has two parts, because their lifetimes differ. Memory that the program and its restored libraries (restore/restored_modules.h) allocate ends
// with the execution, except for memory that HEDDLE_KEEP variables or other libraries may still use (restore/left_behind.h). Memory that the
// other libraries allocate for the program (the buffer of a stream, a locale, the text of a string) stays until the library frees it, and does
// not move the program's memory.
//
// glibc has everything else: memory from before the first execution, memory of the fuzzing engine, and memory of threads that are not
// controlled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "heap/heap_record.h"
#include "heap/large_blocks.h"
#include "heap/small_blocks.h"

namespace heddle::rt {

class ExecutionHeap {
 public:
  enum class Part : uint8_t { program, library };

  // Reserves the addresses. Called once.
  void initialise();
  bool contains(const void* address) const { return reinterpret_cast<uintptr_t>(address) - base_ < size_; }

  // Returns a live block of at least that size, or an empty HeapBlock if there is no memory. `alignment` is a power of two, or 0 for the
  // default.
  [[gnu::always_inline]] HeapBlock get(Part part, size_t size, size_t alignment) {
    if (__builtin_expect(size > size_classes::kLargest || alignment > size_classes::kUnit, 0)) return get_unusual(part, size, alignment);
    const HeapBlock block = stores_[static_cast<int>(part)].small.get(size_classes::of(size));
    if (part == Part::program) counts(block);
    return block;
  }
  // The same, with zeroed memory.
  HeapBlock get_zero(Part part, size_t size);
  // The block that begins at the address, live or not. Empty if none begins there. REQUIRES: contains(address).
  [[gnu::always_inline]] HeapBlock find(const void* address) const {
    const auto at = reinterpret_cast<uintptr_t>(address);
    const Store& store = store_of(at);
    return __builtin_expect(store.small.contains(at), 1) ? store.small.find(at) : store.large.find(at);
  }
  // If the address lies in a live block of up to 32 KiB whose memory had an earlier owner: how that owner freed it. Else null.
  const Freed* giver_before(uintptr_t address) const {
    if (!contains(reinterpret_cast<const void*>(address))) return nullptr;
    const Store& store = store_of(address);
    const HeapBlock block = store.small.contains(address) ? store.small.find(address, true) : HeapBlock{};
    return block && block.record->state() == BlockState::live && block.record->next() != 0 ? &block.record->by : nullptr;
  }
  // A live block ends. Its memory is not reused before `put`.
  [[gnu::always_inline]] void ends(const HeapBlock& block, BlockState state, const Freed& by = {}) {
    if (block.record->state() == BlockState::live) uncounts(block);
    const bool again = block.record->state() == BlockState::live && block.record->next() != 0;
    block.record->set(state);
    block.record->by = by;
    block.record->by.again = again;
  }
  // The memory can be reused. The state stays. REQUIRES: not live.
  [[gnu::always_inline]] void put(const HeapBlock& block) {
    Store& store = store_of(block.begin);
    if (__builtin_expect(store.small.contains(block.begin), 1)) store.small.put(block);
    else store.large.put(block);
  }
  // Resizes in place, if there is room.
  bool resize(HeapBlock& block, size_t size);
  // A thread that is not controlled frees the block, at any time. The memory can be reused from the next execution on.
  void put_from_outside(const void* address);

  // Counts live blocks of the program that are not kept.
  size_t live_blocks() const { return live_blocks_; }
  size_t live_bytes() const { return live_bytes_; }

  // Between executions: determines which of the program's blocks survive. Called first:
  void begin_keeping();
  // If the word points into a live block, the block is kept until it is freed.
  void keep(uintptr_t word) {
    if (word - base_ < size_) keep_block(word);
  }
  // Calls `visit(begin, end)` for each kept block, including blocks that are kept during a visit.
  template <typename Visit>
  void visit_kept(Visit visit) {
    for (size_t i = 0; i < kept_.size(); ++i) visit(kept_[i].begin, kept_[i].begin + kept_[i].size);
  }
  // The next execution begins. Blocks of the program that are not kept end. With `all`, none ends.
  void renew(bool all);

 private:
  struct Store {
    SmallBlocks small;
    LargeBlocks large;
  };
  bool of_program_part(uintptr_t address) const { return address - base_ < program_size_; }
  Store& store_of(uintptr_t address) { return stores_[of_program_part(address) ? 0 : 1]; }
  const Store& store_of(uintptr_t address) const { return stores_[of_program_part(address) ? 0 : 1]; }
  void counts(const HeapBlock& block) {
    live_blocks_ += block.begin != 0;
    live_bytes_ += block.size;
  }
  void uncounts(const HeapBlock& block) {
    if (!of_program_part(block.begin)) return;
    --live_blocks_;
    live_bytes_ -= block.size;
  }
  HeapBlock get_unusual(Part part, size_t size, size_t alignment);
  HeapBlock get_large(Part part, size_t size, size_t alignment, size_t& zero);
  void keep_block(uintptr_t address);
  void take_from_outside();

  uintptr_t base_ = 0;
  size_t size_ = 0, program_size_ = 0;  // until there is a heap, nothing lies in it
  Store stores_[2];
  size_t live_blocks_ = 0, live_bytes_ = 0;
  ReservedArray<HeapBlock> kept_;
  void* outside_ = nullptr;  // freed by threads that are not controlled. A linked list: each block begins with the address of the next
};

extern constinit ExecutionHeap g_execution_heap;
inline ExecutionHeap& execution_heap() { return g_execution_heap; }

}  // namespace heddle::rt
