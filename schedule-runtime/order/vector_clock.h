// A vector clock over dense thread numbers: a plain array of 32-bit counters in caller-provided
// memory. A missing component is 0. Most runs have 2 to 16 threads, a few have 10,000. The array is
// as long as the highest component ever raised, so clocks of threads that synchronised with no
// other thread stay short.
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
    return join(other.data_, other.size_, memory);
  }
  bool join(const uint32_t* data, uint32_t size, const Memory& memory);
  void assign(const VectorClock& other, const Memory& memory) {
    if (this != &other) assign(other.data_, other.size_, memory);
  }
  void assign(const uint32_t* data, uint32_t size, const Memory& memory);

 private:
  void make_room(uint32_t size, uint32_t kept, const Memory& memory);
  void resize(uint32_t size, const Memory& memory);

  uint32_t* data_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace heddle::order
