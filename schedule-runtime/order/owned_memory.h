// Memory for offline users of the clocks: chunks from the C++ heap, freed together. Never used inside an execution; there the runtime's
// arena is used.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "order/memory.h"

namespace heddle::order {

class OwnedMemory {
 public:
  OwnedMemory() = default;
  OwnedMemory(const OwnedMemory&) = delete;
  OwnedMemory& operator=(const OwnedMemory&) = delete;

  Memory memory() {
    return {[](void* self, size_t bytes) { return static_cast<OwnedMemory*>(self)->allocate(bytes); },
            this};
  }
  size_t bytes() const { return total_; }
  // All memory returned so far becomes invalid. The first chunk is reused.
  void reset() {
    if (chunks_.size() > 1 || total_ > kChunk) {
      chunks_.clear();
      next_ = nullptr;
      left_ = total_ = 0;
    } else if (!chunks_.empty()) {
      next_ = chunks_[0].get();
      left_ = kChunk;
    }
  }

 private:
  static constexpr size_t kChunk = 16 * 1024;

  void* allocate(size_t bytes) {
    bytes = (bytes + 15) & ~size_t{15};
    if (bytes > left_) {
      const size_t size = bytes > kChunk ? bytes : kChunk;
      chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
      total_ += size;
      if (size > kChunk) return chunks_.back().get();
      next_ = chunks_.back().get();
      left_ = size;
    }
    void* p = next_;
    next_ += bytes;
    left_ -= bytes;
    return p;
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  size_t total_ = 0;
};

}  // namespace heddle::order
