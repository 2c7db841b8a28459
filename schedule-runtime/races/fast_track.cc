#include "races/fast_track.h"

#include "races/full_table.h"

namespace heddle::rt {

bool FastTrack::sets_full() const {
  if (!sets.full()) return false;
  say_full("variables accessed by several threads");
  return true;
}

// Without room for another set, only the newest access is stored. Then races can be missed, but no false race is reported.
void FastTrack::add(uint64_t& of, uint64_t now) {
  if (AccessSets::is_set(of)) sets.put(sets.of(of), now);
  else of = sets_full() ? now : sets.make(of, now);
}

template <typename Wanted>
void FastTrack::check(uint64_t earlier, uintptr_t address, uint64_t now, Wanted wanted) {
  const auto one = [&](uint64_t a) {
    if (a != 0 && wanted(a) && !in_past(a)) race_(a, now, address);
  };
  if (!AccessSets::is_set(earlier)) return one(earlier);
  const AccessSet& s = sets.of(earlier);
  for (uint32_t i = 0; i <= s.mask; ++i) one(s.slots[i]);
}

void FastTrack::check_all(uint64_t earlier, uintptr_t address, uint64_t now) {
  check(earlier, address, now, [](uint64_t) { return true; });
}

void FastTrack::check_atomic_writes(const Cell& c, uintptr_t address, uint64_t now) {
  check(c.atomic, address, now, [](uint64_t a) { return Access::writes(a); });
}

Cell FastTrack::copy(const Cell& c) {
  Cell copy = c;
  for (uint64_t* of : {&copy.read, &copy.atomic}) {
    if (!AccessSets::is_set(*of)) continue;
    *of = sets_full() ? 0 : sets.copy(*of);
  }
  return copy;
}

}  // namespace heddle::rt
