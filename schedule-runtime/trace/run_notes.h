// What threads did in a run that is no operation of the schedule, but that a reader of the report wants to see: the stop of a timer.
#pragma once

#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt {

struct RunNote {
  enum What : uint8_t { timer_stopped, timer_reset } what;
  bool had_effect;   // the timer was running, or its value had not been received
  uint32_t thread, object;
  uint32_t events;   // so many came before it
  uint32_t site, context;
};

class RunNotes {
 public:
  static constexpr uint32_t kMost = 256;

  void begin() { count_ = 0; }
  void add(const RunNote& note) {
    notes_.reserve(kMost);
    notes_[count_++ % kMost] = note;
  }
  uint32_t size() const { return count_ < kMost ? count_ : kMost; }
  // The oldest first, of the last ones.
  const RunNote& operator[](uint32_t i) const { return notes_[(count_ < kMost ? i : count_ + i) % kMost]; }

 private:
  ReservedArray<RunNote> notes_;
  uint32_t count_ = 0;
};

extern constinit RunNotes g_run_notes;
inline RunNotes& run_notes() { return g_run_notes; }

}  // namespace heddle::rt
