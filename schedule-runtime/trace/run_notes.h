// What threads did in a run that is no operation of the schedule, but that a reader of the report wants to see: the stop of a timer, the destruction
// of a semaphore, a change of the file mask.
#pragma once

#include <cstdint>

#include "base/reserved_array.h"
#include "trace/event_notes.h"

namespace heddle::rt {

struct RunNote {
  enum What : uint8_t { timer_stopped, timer_reset, destroyed, process_call } what;
  bool had_effect;   // the timer was running, or its value had not been received
  uint32_t thread, object;
  uint32_t events;   // so many came before it
  uint32_t site, context;
  const char* call = nullptr;  // of the process: its name
  char with[40] = {};          // and what it was called with: " 022"
};

class RunNotes {
 public:
  static constexpr uint32_t kMost = 256;

  void begin() { count_ = 0; }
  RunNote& add(const RunNote& note) {
    notes_.reserve(kMost);
    return notes_[count_++ % kMost] = note;
  }
  uint32_t size() const { return count_ < kMost ? count_ : kMost; }
  // The oldest first, of the last ones.
  const RunNote& operator[](uint32_t i) const { return notes_[(count_ < kMost ? i : count_ + i) % kMost]; }

 private:
  ReservedArray<RunNote> notes_;
  uint32_t count_ = 0;
};

// That virtual time has passed: the deadline of an operation came. The last ones.
class TimeNotes {
  struct Note {
    uint32_t event;
    uint64_t ns;
  };

 public:
  static constexpr uint32_t kMost = EventNotes<Note>::kMost;
  static constexpr uint32_t kNoThread = ~0u;

  void begin(uint64_t now) {
    notes_.begin();
    early_ = 0, forced_ = 0, told_ = now, held_up_ = kNoThread;
  }
  // `event`: of the operation that went because of it. `early`: it was a time limit or a jump of the clock, and other threads could have gone on.
  void add(uint32_t event, uint64_t now, bool early) {
    notes_.add(event).ns = now - told_;
    if (early) ++early_, last_early_ = event;
    told_ = now;
  }
  // The run was stopped while this thread waited for a time limit, and time did not pass because other threads went on.
  void hold_up(uint32_t thread) { held_up_ = thread; }
  uint32_t held_up() const { return held_up_; }
  // A time limit of this thread was let expire, with kPatientTimeouts: the others had made so many operations meanwhile, and could go on.
  void force(uint32_t thread, uint32_t operations) { ++forced_, forced_thread_ = thread, forced_after_ = operations; }
  uint32_t forced() const { return forced_; }
  // REQUIRES: there is one. Of the last one.
  uint32_t forced_thread() const { return forced_thread_; }
  uint32_t forced_after() const { return forced_after_; }
  uint32_t early() const { return early_; }
  // REQUIRES: there is one.
  uint32_t last_early() const { return last_early_; }
  // In ns, since the note before. 0: no deadline has come with this event.
  uint64_t passed_before(uint32_t event) {
    const Note* const note = notes_.of(event);
    return note != nullptr ? note->ns : 0;
  }

 private:
  EventNotes<Note> notes_;
  uint32_t early_ = 0, last_early_ = 0;
  uint32_t forced_ = 0, forced_thread_ = 0, forced_after_ = 0;
  uint32_t held_up_ = kNoThread;
  uint64_t told_ = 0;
};

extern constinit RunNotes g_run_notes;
inline RunNotes& run_notes() { return g_run_notes; }
extern constinit TimeNotes g_time_notes;
inline TimeNotes& time_notes() { return g_time_notes; }

}  // namespace heddle::rt
