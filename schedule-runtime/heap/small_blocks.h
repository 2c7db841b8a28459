// Blocks of up to 32 KiB. A run of pages holds blocks of one size, which are cut from it one after the other. Freed blocks are reused, the
// latest first, as in most allocators. So a program sees reused addresses as with other allocators.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "heap/heap_record.h"
#include "heap/size_classes.h"

namespace heddle::rt {

class SmallBlocks {
 public:
  // The memory [base, base + bytes) is zero, and at most 4 GiB.
  void initialise(uintptr_t base, size_t bytes);
  bool contains(uintptr_t address) const { return address - base_ < bytes_; }

  // Returns a live block of the class, or an empty HeapBlock if there is no memory.
  [[gnu::always_inline]] HeapBlock get(unsigned index) {
    Sizes& c = sizes_[index];
    const uint32_t id = c.free;
    if (__builtin_expect(id == 0, 0)) return cut(index);
    HeapRecord& r = records_[id];
    c.free = r.next();
    r.set(BlockState::live, 1);
    return {address_of(id, size_classes::kAll[index].size), size_classes::kAll[index].size, &r};
  }
  // The block that begins at the address (`within`: or that contains it), if one was ever cut there.
  [[gnu::always_inline]] HeapBlock find(uintptr_t address, bool within = false) const {
    const size_t page = (address - base_) / size_classes::kPage;
    const Page& p = pages_[page];
    if (__builtin_expect(p.index == 0, 0)) return {};
    const size_classes::Class& c = size_classes::kAll[p.index - 1u];
    const size_t first = page - p.back;
    const uint64_t offset = address - base_ - first * size_classes::kPage;
    const uint64_t nth = offset * c.reciprocal >> 32;
    if (nth >= c.blocks || (nth * c.size != offset && !within)) return {};
    HeapRecord& r = records_[first * kBlocksPerPage + nth];
    if (r.state() == BlockState::none) return {};
    return {base_ + first * size_classes::kPage + nth * c.size, c.size, &r};
  }
  // The memory can be reused. The state stays. REQUIRES: the block was found here.
  [[gnu::always_inline]] void put(const HeapBlock& block) {
    const size_t page = (block.begin - base_) / size_classes::kPage;
    const Page& p = pages_[page];
    if (__builtin_expect(!pages_[page - p.back].changed, 0)) changes(static_cast<uint32_t>(page - p.back));
    Sizes& c = sizes_[p.index - 1u];
    block.record->set(block.record->state(), c.free);
    c.free = static_cast<uint32_t>(block.record - records_);
  }
  // Frees everything except kept blocks (with `all`: except live blocks). If nothing is left, the state is as at the beginning.
  void renew(bool all);

 private:
  // All fields except `index` and `back` are valid for the first page of a run.
  struct Page {
    uint8_t index;   // the class + 1; 0: free
    uint8_t back;    // to the first page
    bool changed;    // in this execution
    bool waiting;    // in a list of runs that have room
    uint16_t next;   // to be cut
    uint16_t known;  // so many blocks have a record
    uint32_t after;  // the next run that has room
  };
  struct Sizes {
    uint32_t free;  // the latest freed block; 0: none
    uint32_t run;   // from which blocks are cut; 0: none
    uint32_t room;  // the first run from an earlier execution that has room; 0: none
  };
  static constexpr size_t kBlocksPerPage = size_classes::kPage / size_classes::kUnit;

  uintptr_t address_of(uint32_t id, uint32_t size) const {
    return base_ + id / kBlocksPerPage * size_classes::kPage + id % kBlocksPerPage * size;
  }
  HeapBlock cut(unsigned index);
  uint32_t next_run(unsigned index);
  void changes(uint32_t run);
  bool renew_run(uint32_t run, bool all);

  uintptr_t base_ = 0;
  size_t bytes_ = 0;
  HeapRecord* records_ = nullptr;
  Page* pages_ = nullptr;
  uint32_t page_count_ = 0;
  uint32_t next_page_ = 1;   // no block is number 0
  uint32_t first_free_ = 1;  // when an execution begins, no page before this is free
  Sizes sizes_[size_classes::kCount] = {};
  ReservedArray<uint32_t> changed_;  // runs
};

}  // namespace heddle::rt
