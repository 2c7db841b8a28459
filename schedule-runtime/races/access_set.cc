#include "races/access_set.h"

#include <cstring>

namespace heddle::rt {

void AccessSets::initialise() {
  arena_.initialise(1ull << 31);
  sets_.reserve(kMaxSets);
}

void AccessSets::begin() {
  arena_.clear();
  sets_.clear();
  sets_.push() = {};
}

uint64_t* AccessSets::slots(uint32_t count) {
  auto* s = static_cast<uint64_t*>(arena_.get(count * sizeof(uint64_t)));
  memset(s, 0, count * sizeof(uint64_t));
  return s;
}

uint64_t AccessSets::make(uint64_t first, uint64_t second) {
  constexpr uint32_t kFirstSlots = 8;
  AccessSet& s = sets_.push();
  s = {slots(kFirstSlots), kFirstSlots - 1, 0};
  put(s, first);
  put(s, second);
  return sets_.size() - 1;
}

uint64_t AccessSets::copy(uint64_t reference) {
  AccessSet& s = sets_.push();
  s = of(reference);
  const uint64_t* const from = s.slots;
  s.slots = slots(s.mask + 1);
  memcpy(s.slots, from, (s.mask + 1) * sizeof(uint64_t));
  return sets_.size() - 1;
}

void AccessSets::grow(AccessSet& set) {
  const AccessSet old = set;
  set.mask = old.mask * 2 + 1;
  set.slots = slots(set.mask + 1);
  for (uint32_t i = 0; i <= old.mask; ++i) {
    if (old.slots[i] != 0) set.slot(old.slots[i]) = old.slots[i];
  }
}

}  // namespace heddle::rt
