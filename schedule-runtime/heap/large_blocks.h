// Blocks above 32 KiB: runs of pages at the lowest address that has room. Free neighbours are joined to one run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heap/heap_record.h"
#include "heap/size_classes.h"

namespace heddle::rt {

class LargeBlocks {
 public:
  // The memory [base, base + bytes) is zero.
  void initialise(uintptr_t base, size_t bytes);
  bool contains(uintptr_t address) const { return address - base_ < bytes_; }

  // Returns a live block of that size, or an empty HeapBlock if there is no memory. `alignment` is a power of two. The block's bytes are
  // zero from the offset `zero` on.
  HeapBlock get(size_t size, size_t alignment, size_t& zero);
  // The block that begins at the address (`within`: or that contains it), if there was one in this execution.
  HeapBlock find(uintptr_t address, bool within = false) const;
  // The memory can be reused. The state stays. REQUIRES: the block was found here.
  void put(const HeapBlock& block);
  // Resizes in place, if there is room, and sets the block's new size.
  bool resize(HeapBlock& block, size_t size);
  // See SmallBlocks::renew.
  void renew(bool all);

 private:
  // All fields except `record`, `size` and `back` are valid for the first page of a run.
  struct Page {
    HeapRecord record;  // of the block that begins here, now or earlier in this execution
    size_t size;        // of that block
    uint32_t back;      // of a block in use: to its first page
    uint32_t pages;     // of the run
    uint32_t before;    // of the run before this one
    bool free;
    bool clean;         // of a free run: it is zero
  };
  static constexpr size_t kNoRoom = ~size_t{0};

  static uint32_t pages_for(size_t size) { return static_cast<uint32_t>(size == 0 ? 1 : (size + size_classes::kPage - 1) / size_classes::kPage); }
  uint32_t page_of(uintptr_t address) const { return static_cast<uint32_t>((address - base_) / size_classes::kPage); }
  uintptr_t address_of(size_t page) const { return base_ + page * size_classes::kPage; }
  size_t room_in(uint32_t run, uint32_t pages, size_t alignment) const;
  void make_run(uint32_t run, uint32_t pages, uint32_t before, bool free, bool clean);
  // Puts a block of so many pages at `page` of a run that has been made for it. `known` pages of the run already exist.
  void settle(uint32_t run, uint32_t known, uint32_t pages);
  void join(uint32_t run);
  void clear(uint32_t begin, uint32_t end);

  uintptr_t base_ = 0;
  size_t bytes_ = 0;
  Page* pages_ = nullptr;
  uint32_t page_count_ = 0;
  uint32_t end_ = 0;      // of the last run, which is not free
  uint32_t last_ = 0;     // pages of that run
  uint32_t touched_ = 0;  // pages from here on are untouched since the system provided them
  uint32_t search_ = 0;   // a run; none before it is free
  bool changed_ = false;  // in this execution
};

}  // namespace heddle::rt
