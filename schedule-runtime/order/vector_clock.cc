#include "order/vector_clock.h"

#include <cstring>

namespace heddle::order {

void VectorClock::make_room(uint32_t size, uint32_t kept, const Memory& memory) {
  if (size <= capacity_) return;
  uint32_t wanted = capacity_ ? capacity_ * 2 : 8;  // always whole groups
  while (wanted < size) wanted *= 2;
  auto* bigger = static_cast<uint32_t*>(memory.get(wanted * sizeof(uint32_t)));
  if (kept) std::memcpy(bigger, data_, kept * sizeof(uint32_t));
  data_ = bigger;
  capacity_ = wanted;
}

void VectorClock::resize(uint32_t size, const Memory& memory) {
  make_room(size, size_, memory);
  if (size > size_) std::memset(data_ + size_, 0, (4 * groups(size) - size_) * sizeof(uint32_t));
  size_ = size;
}

bool VectorClock::below(const VectorClock& other) const {
  for (uint32_t i = 0; i < size_; ++i) {
    if (data_[i] > other.get(i)) return false;
  }
  return true;
}

void VectorClock::assign(const uint32_t* data, uint32_t size, const Memory& memory) {
  make_room(size, 0, memory);
  if (size) std::memcpy(data_, data, size * sizeof(uint32_t));
  for (uint32_t i = size; i < 4 * groups(size); ++i) data_[i] = 0;
  size_ = size;
}

}  // namespace heddle::order
