// A chain as a list of events of its source run. A value without an allocation, because thousands are made and most are discarded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "schema/identity.h"

namespace heddle::mutator {

class EventChain {
 public:
  // The rules make at most 10 elements, the crossing of the longest lock cycle has 16, and a cut is
  // moved at most 3 times.
  static constexpr size_t kMax = 20;

  EventChain() = default;
  EventChain(std::initializer_list<uint32_t> events) { assign(events.begin(), events.end()); }
  template <typename Iterator>
  EventChain(Iterator first, Iterator last) { assign(first, last); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kMax; }
  uint32_t& operator[](size_t i) { return events_[i]; }
  uint32_t operator[](size_t i) const { return events_[i]; }
  const uint32_t* begin() const { return events_; }
  const uint32_t* end() const { return events_ + size_; }
  uint32_t back() const { return events_[size_ - 1]; }
  bool contains(uint32_t event) const { return std::find(begin(), end(), event) != end(); }

  // Elements that do not fit are left out.
  void push_back(uint32_t event) { insert(size_, event); }
  void insert(size_t at, uint32_t event) {
    if (full()) return;
    std::copy_backward(events_ + at, events_ + size_, events_ + size_ + 1);
    events_[at] = event;
    ++size_;
  }
  void keep_first(size_t n) { size_ = static_cast<uint32_t>(std::min<size_t>(n, size_)); }

  uint64_t hash() const {
    uint64_t h = size_;
    for (uint32_t e : *this) h = mix(h, e);
    return h;
  }
  bool operator==(const EventChain& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }
  bool operator<(const EventChain& other) const {
    return std::lexicographical_compare(begin(), end(), other.begin(), other.end());
  }

 private:
  template <typename Iterator>
  void assign(Iterator first, Iterator last) {
    for (; first != last && !full(); ++first) events_[size_++] = *first;
  }

  uint32_t size_ = 0;
  uint32_t events_[kMax] = {};
};

}  // namespace heddle::mutator
