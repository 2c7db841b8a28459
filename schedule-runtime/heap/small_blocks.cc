#include "heap/small_blocks.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

using size_classes::kPage;

constexpr uint32_t kKeptPages = kKeptMemory / kPage;

void give_back(uintptr_t begin, size_t bytes) { raw_syscall(SYS_madvise, begin, bytes, MADV_DONTNEED); }

}  // namespace

void SmallBlocks::initialise(uintptr_t base, size_t bytes) {
  static_assert(kBlocksPerPage * sizeof(HeapRecord) == kPage);  // so that records go back to the system with their pages
  base_ = base;
  bytes_ = bytes;
  page_count_ = static_cast<uint32_t>(bytes / kPage);
  check(size_t{page_count_} * kBlocksPerPage <= HeapRecord::kNext + size_t{1}, "more small blocks than can be counted");
  records_ = static_cast<HeapRecord*>(reserve_memory(bytes));
  pages_ = static_cast<Page*>(reserve_memory(page_count_ * sizeof(Page)));
  changed_.reserve(page_count_);
}

void SmallBlocks::changes(uint32_t run) {
  pages_[run].changed = true;
  changed_.push() = run;
}

// A run with room from earlier executions; else new pages.
uint32_t SmallBlocks::next_run(unsigned index) {
  Sizes& sizes = sizes_[index];
  if (const uint32_t run = sizes.room; run != 0) {
    sizes.room = pages_[run].after;
    pages_[run].waiting = false;
    if (!pages_[run].changed) changes(run);
    return run;
  }
  const uint32_t count = size_classes::kAll[index].pages;
  uint32_t run = next_page_;
  for (uint32_t i = 0; i < count && run + count <= page_count_;) {
    if (pages_[run + i].index == 0) {
      ++i;
    } else {
      run += i + 1;
      i = 0;
    }
  }
  if (run + count > page_count_) return 0;
  next_page_ = run + count;
  for (uint32_t i = 0; i < count; ++i) pages_[run + i] = {static_cast<uint8_t>(index + 1), static_cast<uint8_t>(i), false, false, 0, 0, 0};
  changes(run);
  return run;
}

__attribute__((noinline)) HeapBlock SmallBlocks::cut(unsigned index) {
  const size_classes::Class& c = size_classes::kAll[index];
  uint32_t& run = sizes_[index].run;
  for (;;) {
    if (run == 0 || pages_[run].next == c.blocks) run = next_run(index);
    if (run == 0) return {};
    Page& p = pages_[run];
    while (p.next < c.blocks) {
      const auto id = static_cast<uint32_t>(run * kBlocksPerPage + p.next++);
      if (p.known < p.next) p.known = p.next;
      HeapRecord& r = records_[id];
      if (r.state() != BlockState::none) continue;  // it has outlived an execution
      r.set(BlockState::live);
      return {address_of(id, c.size), c.size, &r};
    }
  }
}

// True if the whole run is free now.
bool SmallBlocks::renew_run(uint32_t run, bool all) {
  Page& p = pages_[run];
  const size_classes::Class& c = size_classes::kAll[p.index - 1u];
  HeapRecord* const records = records_ + run * kBlocksPerPage;
  uint32_t stay = 0;
  for (uint32_t i = 0; i < p.known; ++i) stay += records[i].stays(all);
  p.changed = false;
  p.next = 0;
  if (stay == 0 && !p.waiting) return true;
  for (uint32_t i = 0; i < p.known; ++i) {
    if (records[i].state() == BlockState::none || records[i].stays(all)) continue;
    records[i] = {};
    memset(reinterpret_cast<void*>(base_ + run * kPage + i * c.size), 0, c.size);
  }
  if (stay < c.blocks && !p.waiting) {
    p.waiting = true;
    p.after = sizes_[p.index - 1u].room;
    sizes_[p.index - 1u].room = run;
  }
  return false;
}

void SmallBlocks::renew(bool all) {
  uint32_t low = 0, high = 0;  // pages to go back to the system
  const auto flush = [&] {
    if (low == high) return;
    give_back(base_ + low * kPage, (high - low) * kPage);
    give_back(word(records_ + low * kBlocksPerPage), (high - low) * kPage);
  };
  for (const uint32_t run : changed_) {
    if (!renew_run(run, all)) continue;
    Page* const p = pages_ + run;
    const size_classes::Class& c = size_classes::kAll[p->index - 1u];
    if (run < kKeptPages) {
      memset(reinterpret_cast<void*>(base_ + run * kPage), 0, p->known * c.size);
      memset(static_cast<void*>(records_ + run * kBlocksPerPage), 0, p->known * sizeof(HeapRecord));
    } else {
      if (run != high) {
        flush();
        low = run;
      }
      high = run + c.pages;
    }
    memset(static_cast<void*>(p), 0, c.pages * sizeof *p);
    if (run < first_free_) first_free_ = run;
  }
  flush();
  changed_.clear();
  for (Sizes& sizes : sizes_) sizes.free = sizes.run = 0;
  while (first_free_ < page_count_ && pages_[first_free_].index != 0) ++first_free_;
  next_page_ = first_free_;
}

}  // namespace heddle::rt
