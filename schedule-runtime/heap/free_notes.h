// The latest blocks that this execution has freed, where ASan keeps the blocks and heddle has no record of its own: for reports.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heap/heap_record.h"

namespace heddle::rt {

struct FreeNote {
  uintptr_t begin;
  size_t size;
  Freed by;
};

class FreeNotes {
 public:
  static constexpr size_t kMost = 1 << 12;  // older ones are overwritten

  // A new execution begins.
  void begin() { count_ = 0; }
  void note(const FreeNote& note) { notes_[count_++ % kMost] = note; }
  // The newest block that contains the address; null.
  const FreeNote* find(uintptr_t address) const {
    for (size_t i = count_; i-- > 0 && count_ - i <= kMost;) {
      const FreeNote& n = notes_[i % kMost];
      if (address - n.begin < n.size) return &n;
    }
    return nullptr;
  }

 private:
  size_t count_ = 0;
  FreeNote notes_[kMost] = {};
};

inline constinit FreeNotes g_free_notes;
inline FreeNotes& free_notes() { return g_free_notes; }

}  // namespace heddle::rt
