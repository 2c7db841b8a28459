// A vector clock over dense thread numbers: a plain array of 32-bit counters in caller-provided
// memory. A missing component is 0. Most runs have 2 to 16 threads, a few have 10,000. The array is
// as long as the highest component ever raised, so clocks of threads that synchronised with no
// other thread stay short. Behind it are zeros up to a multiple of four, so a join needs no rest.
#pragma once

#include <cstdint>

#include "order/memory.h"

namespace heddle::order {

class VectorClock {
 public:
  VectorClock() = default;
  VectorClock(const VectorClock&) = delete;
  VectorClock& operator=(const VectorClock&) = delete;

  uint32_t get(uint32_t thread) const { return thread < size_ ? data_[thread] : 0; }
  uint32_t size() const { return size_; }
  const uint32_t* data() const { return data_; }
  bool empty() const { return size_ == 0; }

  // "The op of `thread` with this epoch is in my past."
  bool covers(uint32_t thread, uint32_t epoch) const { return epoch <= get(thread); }
  // Component-wise <=.
  bool below(const VectorClock& other) const;

  void clear() { size_ = 0; }
  void raise(uint32_t thread, uint32_t value, const Memory& memory) {
    if (value == 0) return;
    if (thread >= size_) resize(thread + 1, memory);
    if (data_[thread] < value) data_[thread] = value;
  }
  // Component-wise maximum. True: something changed.
  bool join(const VectorClock& other, const Memory& memory) {
    if (other.size_ > size_) resize(other.size_, memory);
    return join_groups(data_, other.data_, groups(other.size_));
  }
  void assign(const VectorClock& other, const Memory& memory) {
    if (this == &other) return;
    if (other.size_ > capacity_) make_room(other.size_, 0, memory);
    for (uint32_t i = 0; i < groups(other.size_); ++i) reinterpret_cast<Four*>(data_)[i] = reinterpret_cast<const Four*>(other.data_)[i];
    size_ = other.size_;
  }
  void assign(const uint32_t* data, uint32_t size, const Memory& memory);

 private:
  // Four components, compared at once. `data` is aligned to 16 bytes (Memory).
  typedef uint32_t Four __attribute__((vector_size(16), may_alias));
  static uint32_t groups(uint32_t size) { return (size + 3) / 4; }
  // Inline, because most clocks are one group, and an operation has two or three joins.
  static bool join_groups(uint32_t* data, const uint32_t* other, uint32_t count) {
    auto* const mine = reinterpret_cast<Four*>(data);
    const auto* const theirs = reinterpret_cast<const Four*>(other);
    Four changed = {};
    for (uint32_t i = 0; i < count; ++i) {
      const auto later = reinterpret_cast<Four>(theirs[i] > mine[i]);
      mine[i] = (theirs[i] & later) | (mine[i] & ~later);
      changed |= later;
    }
    return ((changed[0] | changed[1]) | (changed[2] | changed[3])) != 0;
  }
  void make_room(uint32_t size, uint32_t kept, const Memory& memory);
  void resize(uint32_t size, const Memory& memory);

  uint32_t* data_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace heddle::order
