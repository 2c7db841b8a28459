// What a run tells beside its events, each note about one event: the last ones, in the order of the events.
#pragma once

#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt {

// `Note` has the number of its event: `event`.
template <typename Note>
class EventNotes {
 public:
  static constexpr uint32_t kMost = 1024;

  void begin() { count_ = 0; }
  // REQUIRES: no note before is about a later event.
  Note& add(uint32_t event) {
    notes_.reserve(kMost);
    Note& note = notes_[count_++ % kMost];
    note.event = event;
    return note;
  }
  // The first about this event; null: none.
  Note* of(uint32_t event) {
    uint32_t low = count_ < kMost ? 0 : count_ - kMost, high = count_;
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      notes_[middle % kMost].event < event ? low = middle + 1 : high = middle;
    }
    return low < count_ && notes_[low % kMost].event == event ? &notes_[low % kMost] : nullptr;
  }

 private:
  ReservedArray<Note> notes_;
  uint32_t count_ = 0;
};

}  // namespace heddle::rt
