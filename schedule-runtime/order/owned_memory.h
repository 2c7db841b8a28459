// Memory for offline users of the clocks: chunks from the C++ heap, freed together. Never used inside an execution; there the runtime's
// arena is used.
#pragma once

#include <algorithm>
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
  // All memory returned so far becomes invalid. Up to 8 MiB are reused: what the next run needs will be as much, and the system gives and takes pages
  // slowly.
  void reset() {
    while (total_ > kKept) {
      total_ -= chunks_.back().size;
      chunks_.pop_back();
    }
    current_ = 0;
    next_ = chunks_.empty() ? nullptr : chunks_[0].bytes.get();
    left_ = chunks_.empty() ? 0 : chunks_[0].size;
  }

 private:
  static constexpr size_t kChunk = 16 << 10, kLargestUsual = 1 << 20, kKept = 8 << 20;

  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    size_t size;
  };

  void* allocate(size_t bytes) {
    bytes = (bytes + 15) & ~size_t{15};
    if (bytes > left_) take_chunk(bytes);
    void* p = next_;
    next_ += bytes;
    left_ -= bytes;
    return p;
  }

  void take_chunk(size_t bytes) {
    if (!chunks_.empty()) ++current_;
    while (current_ < chunks_.size() && chunks_[current_].size < bytes) ++current_;
    if (current_ >= chunks_.size()) {
      const size_t size = std::max(bytes, std::clamp(total_, kChunk, kLargestUsual));
      chunks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
      total_ += size;
      current_ = chunks_.size() - 1;
    }
    next_ = chunks_[current_].bytes.get();
    left_ = chunks_[current_].size;
  }

  std::vector<Chunk> chunks_;
  size_t current_ = 0;
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  size_t total_ = 0;
};

}  // namespace heddle::order
