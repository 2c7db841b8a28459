// What the operations on memory have read and stored: for reports, which are always made of a watched run. Events themselves have only a hash
// of the value (Event::value).
#pragma once

#include <cstdint>

#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

struct EventValues {
  enum Known : uint8_t { kRead = 1, kStored = 2, kExpected = 4 };

  struct Shape {
    uint8_t size;   // in bytes; 0: too large to be kept
    uint8_t known;  // Known
  };

  uint64_t read = 0;      // what it found
  uint64_t stored = 0;    // what a store, a read-modify-write or a successful compare-and-swap left; what a failed one would have
  uint64_t expected = 0;  // by a compare-and-swap
  // Of a read whose value no event has stored: the thread and the site of a plain write. The thread may have written again since,
  // within the same epoch. kNoEvent: not known.
  uint32_t writer_thread = kNoEvent;
  uint32_t writer_site = 0;
  uint8_t size = 0;
  uint8_t known = 0;
};

class ValuesOfEvents {
 public:
  void initialise(size_t most) {
    entries_.reserve(most);
  }
  void begin() { ++execution_; }
  // REQUIRES: a recorded event. What is kept of it is overwritten.
  EventValues& begin(uint32_t event) {
    entries_[event].execution = execution_;
    return entries_[event].values;
  }
  // Null: not known.
  EventValues* of(uint32_t event) { return event < entries_.capacity() && entries_[event].execution == execution_ ? &entries_[event].values : nullptr; }

 private:
  struct Entry {
    EventValues values;
    uint32_t execution;
  };
  ReservedArray<Entry> entries_;
  uint32_t execution_ = 0;
};

}  // namespace heddle::rt
