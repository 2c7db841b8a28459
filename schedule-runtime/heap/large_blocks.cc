#include "heap/large_blocks.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "base/raw_syscall.h"
#include "base/reserved_array.h"

namespace heddle::rt {

using size_classes::kPage;

namespace {

constexpr uint32_t kKeptPages = kKeptMemory / kPage;

constexpr size_t whole_units(size_t size) { return size == 0 ? size_classes::kUnit : (size + size_classes::kUnit - 1) & ~(size_classes::kUnit - 1); }

}  // namespace

void LargeBlocks::initialise(uintptr_t base, size_t bytes) {
  base_ = base;
  bytes_ = bytes;
  page_count_ = static_cast<uint32_t>(bytes / kPage);
  pages_ = static_cast<Page*>(reserve_memory(page_count_ * sizeof(Page)));
}

void LargeBlocks::make_run(uint32_t run, uint32_t pages, uint32_t before, bool free, bool clean) {
  Page& p = pages_[run];
  p.pages = pages;
  p.before = before;
  p.free = free;
  p.clean = clean;
  if (run + pages >= end_) {
    end_ = run + pages;
    last_ = pages;
  } else {
    pages_[run + pages].before = pages;
  }
}

void LargeBlocks::settle(uint32_t run, uint32_t known, uint32_t pages) {
  for (uint32_t i = known; i < pages; ++i) {
    pages_[run + i].record.word = 0;
    pages_[run + i].back = i;
  }
  touched_ = std::max(touched_, run + pages);
  changed_ = true;
}

// The page within the run at which an aligned block of so many pages fits.
size_t LargeBlocks::room_in(uint32_t run, uint32_t pages, size_t alignment) const {
  const uintptr_t begin = (address_of(run) + alignment - 1) & ~(alignment - 1);
  return begin + pages * kPage <= address_of(size_t{run} + pages_[run].pages) ? page_of(begin) : kNoRoom;
}

HeapBlock LargeBlocks::get(size_t size, size_t alignment, size_t& zero) {
  if (size > bytes_ || alignment > bytes_) return {};
  alignment = std::max(alignment, kPage);
  const uint32_t pages = pages_for(size);
  size_t begin = kNoRoom;
  uint32_t run = search_;
  bool first = true;
  for (; run < end_; run += pages_[run].pages) {
    if (!pages_[run].free) continue;
    if (first) search_ = run;
    first = false;
    begin = room_in(run, pages, alignment);
    if (begin != kNoRoom) break;
  }
  if (begin != kNoRoom) {
    const auto at = static_cast<uint32_t>(begin);
    const uint32_t lead = at - run, tail = pages_[run].pages - lead - pages, before = pages_[run].before;
    const bool clean = pages_[run].clean;
    if (lead != 0) make_run(run, lead, before, true, clean);
    make_run(at, pages, lead != 0 ? lead : before, false, false);
    if (tail != 0) make_run(at + pages, tail, pages, true, clean);
    zero = clean ? 0 : size;
  } else {
    if (first) search_ = end_;
    begin = page_of((address_of(end_) + alignment - 1) & ~(alignment - 1));
    if (begin + pages > page_count_) return {};
    run = end_;
    const auto lead = static_cast<uint32_t>(begin - run);
    const uint32_t before = last_;
    if (lead != 0) make_run(run, lead, before, true, run >= touched_);
    make_run(static_cast<uint32_t>(begin), pages, lead != 0 ? lead : before, false, false);
    zero = begin < touched_ ? (touched_ - begin) * kPage : 0;
  }
  run = static_cast<uint32_t>(begin);
  settle(run, 0, pages);
  Page& p = pages_[run];
  p.record.set(BlockState::live);
  p.size = whole_units(size);
  return {address_of(run), p.size, &p.record};
}

HeapBlock LargeBlocks::find(uintptr_t address, bool within) const {
  uint32_t page = page_of(address);
  if (page >= touched_) return {};
  if (within) page -= pages_[page].back;
  Page& p = pages_[page];
  if (p.record.state() == BlockState::none) return {};
  // The information that the page belongs to a block that begins there may be stale.
  if (within ? address - address_of(page) >= p.size || p.free : address != address_of(page)) return {};
  return {address_of(page), p.size, &p.record};
}

// Joins the run with free neighbours. Free space at the end is not a run.
void LargeBlocks::join(uint32_t run) {
  uint32_t pages = pages_[run].pages, before = pages_[run].before;
  bool clean = pages_[run].clean;
  if (const uint32_t next = run + pages; next < end_ && pages_[next].free) {
    pages += pages_[next].pages;
    clean &= pages_[next].clean;
  }
  if (run != 0 && pages_[run - before].free) {
    run -= before;
    pages += before;
    before = pages_[run].before;
    clean &= pages_[run].clean;
  }
  if (run + pages == end_) {
    end_ = run;
    last_ = before;
  } else {
    make_run(run, pages, before, true, clean);
  }
  search_ = std::min(search_, run);
}

void LargeBlocks::put(const HeapBlock& block) {
  const uint32_t run = page_of(block.begin);
  pages_[run].free = true;
  pages_[run].clean = false;
  changed_ = true;
  join(run);
}

bool LargeBlocks::resize(HeapBlock& block, size_t size) {
  if (size > bytes_) return false;
  const uint32_t run = page_of(block.begin), pages = pages_[run].pages, wanted = pages_for(size);
  const uint32_t next = run + pages;
  if (wanted > pages) {
    uint32_t rest = 0;
    bool clean = false;
    if (next == end_) {
      if (run + size_t{wanted} > page_count_) return false;
    } else if (pages_[next].free && pages + pages_[next].pages >= wanted) {
      rest = pages + pages_[next].pages - wanted;
      clean = pages_[next].clean;
    } else {
      return false;
    }
    if (search_ == next) search_ = run + wanted;
    make_run(run, wanted, pages_[run].before, false, false);
    if (rest != 0) make_run(run + wanted, rest, wanted, true, clean);
    settle(run, pages, wanted);
  } else if (wanted < pages) {
    const bool last = next == end_;
    if (last) end_ = run;  // so that the rest is the last run
    make_run(run, wanted, pages_[run].before, false, false);
    make_run(run + wanted, pages - wanted, wanted, true, false);
    pages_[run + wanted].record.word = 0;
    join(run + wanted);
  }
  changed_ = true;
  pages_[run].size = block.size = whole_units(size);
  return true;
}

// Clears the pages and what is known about them.
void LargeBlocks::clear(uint32_t begin, uint32_t end) {
  const uint32_t near = std::clamp(kKeptPages, begin, end);
  memset(reinterpret_cast<void*>(address_of(begin)), 0, (near - begin) * kPage);
  if (near < end) raw_syscall(SYS_madvise, address_of(near), (end - near) * kPage, MADV_DONTNEED);
}

void LargeBlocks::renew(bool all) {
  if (!changed_) return;
  changed_ = false;
  for (uint32_t run = 0; run < end_;) {
    Page& p = pages_[run];
    const uint32_t next = run + p.pages;
    if (!p.free && !p.record.stays(all)) {
      p.free = true;
      p.clean = false;
      join(run);
    }
    run = next;
  }
  uint32_t cleared = 0;  // free space, before and after the end
  for (uint32_t run = 0; run < end_; run += pages_[run].pages) {
    for (uint32_t i = 0; i < pages_[run].pages && (pages_[run].free || i != 0); ++i) pages_[run + i].record.word = 0;
    if (pages_[run].free && !pages_[run].clean) clear(run, run + pages_[run].pages);
    pages_[run].clean = pages_[run].free;
    cleared = run + pages_[run].pages;
  }
  if (touched_ > cleared) {
    clear(cleared, touched_);
    for (uint32_t page = cleared; page < touched_; ++page) pages_[page].record.word = 0;
  }
  touched_ = end_;
  search_ = 0;
}

}  // namespace heddle::rt
