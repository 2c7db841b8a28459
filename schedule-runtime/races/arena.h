// Memory that is freed as a whole. For clocks and sets, which live as long as an execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "order/memory.h"

namespace heddle::rt {

class Arena {
 public:
  void initialise(size_t bytes) {
    if (begin_ != nullptr) return;
    begin_ = static_cast<char*>(reserve_growing_memory(bytes));
    next_ = begin_;
    end_ = begin_ + bytes;
  }
  void clear() { next_ = begin_; }
  void* get(size_t bytes) {
    bytes = (bytes + 15) & ~size_t{15};
    check(bytes <= static_cast<size_t>(end_ - next_), "the clocks of this execution need more memory than is reserved for them");
    void* p = next_;
    next_ += bytes;
    return p;
  }
  order::Memory memory() {
    return {[](void* arena, size_t bytes) { return static_cast<Arena*>(arena)->get(bytes); }, this};
  }
  size_t used() const { return static_cast<size_t>(next_ - begin_); }

 private:
  char* begin_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace heddle::rt
