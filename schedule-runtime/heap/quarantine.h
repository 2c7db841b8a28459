// Heap blocks that the execution has freed and that the allocator has not got back yet. They are not reallocated, so each access to one is
// recognised as a use after free. Without the quarantine, the next allocation of that size would get the memory, and the access would be
// one to a live block.
//
// First in, first out, with size limits, and never from one execution to the next. Bugs that need the same address again (ABA) cannot
// happen with it. So half of all inputs, by their seeds, run without it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/identity.h"

namespace heddle::rt {

class Quarantine {
 public:
  using GiveBack = void (*)(void* block);
  static constexpr size_t kMaxBlocks = 1 << 11, kMaxBytes = 2 << 20;
  // Larger blocks are not watched after the free (no_longer_accessed), and do not wait here.
  static constexpr size_t kTooLarge = 1 << 20;

  explicit constexpr Quarantine(GiveBack give_back) : give_back_(give_back) {}

  // Whether executions of inputs with this seed have a quarantine. The default schedule, with seed 0, has one.
  static constexpr bool chosen(uint64_t seed) { return (mix(seed, 0x40DA) & 1) != 0; }
  // An execution begins. REQUIRES: the quarantine is empty.
  void begin(bool on) { on_ = on; }
  bool takes(size_t size) const { return on_ && size < kTooLarge; }
  // REQUIRES: takes(size). The oldest blocks leave until the block fits.
  void add(void* block, size_t size);
  // Gives everything to the allocator. False: there was nothing.
  bool drain();
  // True while blocks go to the allocator. If that fails, the program has corrupted the heap.
  bool giving_back() const { return giving_back_; }

  size_t blocks() const { return count_; }
  size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    void* block;
    size_t size;
  };
  void give_back_oldest();

  const GiveBack give_back_;
  bool on_ = false, giving_back_ = false;
  size_t first_ = 0, count_ = 0, bytes_ = 0;
  Entry entries_[kMaxBlocks] = {};
};

static_assert(Quarantine::chosen(0));

extern constinit Quarantine g_quarantine;
inline Quarantine& quarantine() { return g_quarantine; }

}  // namespace heddle::rt
