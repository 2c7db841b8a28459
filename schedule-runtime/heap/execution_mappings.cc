#include "heap/execution_mappings.h"

#include <algorithm>

#include "base/address_layout.h"
#include "heap/shared_views.h"

namespace heddle::rt {
namespace {

// The kernel uses huge pages where it can, if they begin where one does.
constexpr size_t kHugePage = 2 << 20;

constexpr uintptr_t rounded_up(uintptr_t value, size_t to) { return (value + to - 1) & ~(to - 1); }

}  // namespace

constinit ExecutionMappings g_execution_mappings;

void ExecutionMappings::initialise() { live_.reserve(kMost); }

void ExecutionMappings::begin(bool again) {
  again_ = again;
  next_ = address_layout().mappings_begin;
  ended_count_ = 0;
}

size_t ExecutionMappings::first_after(uintptr_t address) const {
  return static_cast<size_t>(std::partition_point(live_.begin(), live_.end(), [&](const Range& r) { return r.end <= address; }) - live_.begin());
}

void ExecutionMappings::insert(size_t at, const Range& range) {
  if (live_.full()) return;  // it will be left behind without a note
  live_.push();
  std::copy_backward(live_.begin() + at, live_.end() - 1, live_.end());
  live_[at] = range;
}

uintptr_t ExecutionMappings::gap(uintptr_t from, size_t bytes) const {
  if (bytes > address_layout().mappings_end - address_layout().mappings_begin) return 0;
  const size_t alignment = bytes < kHugePage ? kPage : kHugePage;
  from = rounded_up(from, alignment);
  for (size_t i = first_after(from); i < live_.size() && live_[i].begin < from + bytes; ++i) from = rounded_up(live_[i].end, alignment);
  return from + bytes <= address_layout().mappings_end ? from : 0;
}

void* ExecutionMappings::place(size_t bytes) {
  bytes = rounded_up(bytes, kPage);
  const uintptr_t at = gap(again_ ? address_layout().mappings_begin : next_, bytes);
  if (at != 0) next_ = at + bytes;
  return reinterpret_cast<void*>(at);
}

void ExecutionMappings::add(uintptr_t begin, uintptr_t end) {
  if (begin < address_layout().mappings_begin || end > address_layout().mappings_end) return;
  for (size_t i = first_after(begin); begin < end; ++i) {
    const bool last = i == live_.size() || live_[i].begin >= end;
    const uintptr_t until = last ? end : live_[i].begin;
    if (begin < until) insert(i++, {begin, until, false});
    if (last || i >= live_.size()) return;
    begin = live_[i].end;
  }
}

void ExecutionMappings::end(uintptr_t begin, uintptr_t end, const Freed& by) {
  if (begin >= end) return;
  ended_[ended_count_++ % kMostEnded] = {begin, end, by};
  const size_t first = first_after(begin);
  if (first == live_.size()) return;
  if (live_[first].begin < begin && live_[first].end > end) {
    insert(first + 1, {end, live_[first].end, live_[first].kept});
    live_[first].end = begin;
    return;
  }
  size_t to = first;
  for (size_t i = first; i < live_.size(); ++i) {
    Range r = live_[i];
    if (r.begin < begin && r.end > begin) r.end = begin;
    else if (r.begin < end && r.end > end) r.begin = end;
    else if (r.begin >= begin && r.end <= end) continue;
    live_[to++] = r;
  }
  live_.resize(to);
}

const Freed* ExecutionMappings::ended_by(uintptr_t address, uintptr_t& begin) const {
  if (const size_t i = first_after(address); i < live_.size() && live_[i].begin <= address) return nullptr;
  for (size_t k = ended_count_; k != 0 && ended_count_ - k < kMostEnded; --k) {
    const Ended& e = ended_[(k - 1) % kMostEnded];
    if (address < e.begin || address >= e.end) continue;
    begin = e.begin;
    return &e.by;
  }
  return nullptr;
}

void ExecutionMappings::keep(uintptr_t word) {
  if (const size_t i = first_after(word); i < live_.size() && live_[i].begin <= word) live_[i].kept = true;
}

void ExecutionMappings::renew(bool all) {
  if (all) return;
  size_t kept = 0;
  for (Range& r : live_) {
    if (!r.kept) {
      unmap_pages(reinterpret_cast<void*>(r.begin), r.end - r.begin);
      shared_views().end(r.begin, r.end);
    } else {
      r.kept = false;  // checked again after the next execution
      live_[kept++] = r;
    }
  }
  live_.resize(kept);
}

}  // namespace heddle::rt
