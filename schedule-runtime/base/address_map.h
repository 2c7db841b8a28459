// Maps an address (or any non-zero 64-bit key) to a 32-bit value. A new epoch empties it in O(1). Open addressing; grows by doubling, in
// its own memory.
//
// Emptying keeps the keys in their slots. Executions use nearly the same keys again and again, and a key that already has a slot needs no
// insertion. Keys that are no longer used are dropped when room is needed.
#pragma once

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
    live_ = 0;
    if (__builtin_expect(++epoch_ == 0, 0)) start_over();
  }

  // The value's slot. `inserted` tells whether it is new (then its value is 0). The case of a hit is inlined, because each operation does
  // several look-ups.
  [[gnu::always_inline]] uint32_t& find_or_insert(uint64_t key, bool& inserted) {
    for (uint64_t i = hash(key);; ++i) {
      Slot& s = slots_[i & mask_];
      if (__builtin_expect(s.key == key, 1)) {
        inserted = s.epoch != epoch_;
        if (inserted) revive(s);
        return s.value;
      }
      if (s.epoch == 0) break;
    }
    inserted = true;
    return insert(key);
  }

  // Null if absent. To erase, the caller sets the value to one that it treats as "none".
  uint32_t* find(uint64_t key) {
    for (uint64_t i = hash(key);; ++i) {
      Slot& s = slots_[i & mask_];
      if (s.key == key) return s.epoch == epoch_ ? &s.value : nullptr;
      if (s.epoch == 0) return nullptr;
    }
  }

  uint64_t size() const { return live_; }

  // Only the entries for which kept(key, value) is true stay.
  template <typename Kept>
  void keep(Kept kept) {
    move_to(log2_slots(), kept);
  }

 private:
  struct Slot {
    uint64_t key;
    uint32_t epoch;  // the last epoch in which it was used; 0: never used
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

  void revive(Slot& s) {
    s.epoch = epoch_;
    s.value = 0;
    ++live_;
  }

  // REQUIRES: no slot has the key.
  [[gnu::noinline]] uint32_t& insert(uint64_t key) {
    if ((used_ + 1) * 2 > mask_) make_room();
    uint64_t i = hash(key);
    while (slots_[i & mask_].epoch != 0) ++i;
    Slot& s = slots_[i & mask_];
    s.key = key;
    ++used_;
    revive(s);
    return s.value;
  }

  // Drops the keys of earlier epochs; doubles unless that leaves plenty of room.
  void make_room() {
    move_to(log2_slots() + (live_ * 4 > mask_ ? 1 : 0), [](uint64_t, uint32_t) { return true; });
  }

  uint32_t log2_slots() const { return static_cast<uint32_t>(__builtin_popcountll(mask_)); }

  template <typename Kept>
  void move_to(uint32_t log2_slots, Kept kept) {
    Slot* const old = slots_;
    const uint64_t old_mask = mask_;
    allocate(log2_slots);
    used_ = live_ = 0;
    for (uint64_t i = 0; i <= old_mask; ++i) {
      if (old[i].epoch != epoch_ || !kept(old[i].key, old[i].value)) continue;
      insert(old[i].key) = old[i].value;
    }
    unmap_pages(old, (old_mask + 1) * sizeof(Slot));
  }

  // Called when the epochs wrap around.
  [[gnu::noinline]] void start_over() {
    for (uint64_t i = 0; i <= mask_; ++i) slots_[i] = {};
    used_ = 0;
    epoch_ = 1;
  }

  Slot* slots_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t used_ = 0;  // keys in slots
  uint64_t live_ = 0;  // of this epoch
  uint32_t epoch_ = 1;
};

}  // namespace heddle::rt
