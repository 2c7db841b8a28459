// address (or any non-zero 64-bit key) -> 32-bit value, emptied in O(1) by a new epoch. Open addressing; grows
// by doubling, from memory of its own.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include "base/reserved_array.h"
#include "schema/identity.h"

namespace heddle::rt {

class AddressMap {
 public:
  void initialise(uint32_t log2_slots) {
    if (slots_ != nullptr) return;
    allocate(log2_slots);
  }

  void clear() {
    ++epoch_;
    used_ = 0;
  }

  // The value's place; `inserted` tells whether it is new (and then 0).
  // Inlined for its hits: several are part of every operation.
  [[gnu::always_inline]] uint32_t& find_or_insert(uint64_t key, bool& inserted) {
    inserted = false;
    for (uint64_t i = hash(key);; ++i) {
      Slot& s = slots_[i & mask_];
      if (s.epoch != epoch_) break;
      if (s.key == key) return s.value;
    }
    inserted = true;
    return insert(key);
  }

  // Null when absent. Erasing is done by the caller through a value that it treats as "none".
  uint32_t* find(uint64_t key) {
    for (uint64_t i = hash(key);; ++i) {
      Slot& s = slots_[i & mask_];
      if (s.epoch != epoch_) return nullptr;
      if (s.key == key) return &s.value;
    }
  }

  uint64_t size() const { return used_; }

 private:
  struct Slot {
    uint64_t key;
    uint32_t epoch;
    uint32_t value;
  };

  static uint64_t hash(uint64_t key) {
    const uint64_t h = key * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
  }

  void allocate(uint32_t log2_slots) {
    mask_ = (1ull << log2_slots) - 1;
    slots_ = static_cast<Slot*>(reserve_memory((mask_ + 1) * sizeof(Slot)));
  }

  // REQUIRES: `key` is absent.
  [[gnu::noinline]] uint32_t& insert(uint64_t key) {
    if (used_ * 2 > mask_) grow();
    for (uint64_t i = hash(key);; ++i) {
      Slot& s = slots_[i & mask_];
      if (s.epoch == epoch_) continue;
      s = {key, epoch_, 0};
      ++used_;
      return s.value;
    }
  }

  void grow() {
    Slot* old = slots_;
    const uint64_t old_mask = mask_;
    allocate(static_cast<uint32_t>(__builtin_popcountll(old_mask)) + 1);
    used_ = 0;
    for (uint64_t i = 0; i <= old_mask; ++i) {
      if (old[i].epoch == epoch_) insert(old[i].key) = old[i].value;
    }
    munmap(old, (old_mask + 1) * sizeof(Slot));
  }

  Slot* slots_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t used_ = 0;
  uint32_t epoch_ = 1;
};

}  // namespace heddle::rt
