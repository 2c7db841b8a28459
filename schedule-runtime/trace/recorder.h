// The recording of the current execution. Preallocated, and published as a RunSummary.
#pragma once

#include <cstdint>

#include "base/reserved_array.h"
#include "schema/event.h"
#include "trace/event_values.h"

namespace heddle::rt {

struct Recorder {
  static constexpr uint32_t kMaxEvents = 1 << 20;
  static constexpr uint32_t kMaxThreads = 1 << 14;
  static constexpr uint32_t kMaxObjects = 1 << 20;
  static constexpr uint32_t kMaxSelectCases = 1 << 20;
  static constexpr uint32_t kMaxChannels = 1 << 16;
  // SelectCase::event while the select still waits: this flag plus the thread's index.
  static constexpr uint32_t kWaiting = 1u << 31;

  ReservedArray<Event> events;
  ReservedArray<uint32_t> contexts;   // context node of each event
  ReservedArray<uint32_t> positions;  // its code position. If that is in a library, Event::pc_index is the user's call
  ValuesOfEvents values;
  ReservedArray<ThreadRecord> threads;
  ReservedArray<ObjectRecord> objects;  // entry 0: no object
  ReservedArray<SelectCase> select_cases;
  ReservedArray<ChannelRecord> channels;
  RunSummary summary = {};

  void initialise();
  void begin(uint64_t input_hash, uint64_t seed);
  bool full() const { return events.full(); }
  // Adds an event and returns its index. `write` writes the event in place: a copy would have to wait for its bytes.
  template <typename Write>
  uint32_t add(uint32_t context, uint32_t position, Write write) {
    const uint32_t index = static_cast<uint32_t>(events.size());
    write(events.push());
    contexts.push() = context;
    positions.push() = position;
    return index;
  }
  // For an event that was not recorded here: context 0, and the position in the event itself.
  uint32_t context_of(uint32_t event) const { return event < contexts.size() ? contexts[event] : 0; }
  uint32_t position_of(const Event* all, uint32_t event) const { return event < positions.size() ? positions[event] : all[event].pc_index; }
  uint32_t waiting_selects = 0;  // selects whose cases are recorded, but that are not events yet
  // The select in which this thread waited has become this event.
  void name_waiting_select(uint32_t thread, uint32_t event);
  // Drops the cases of selects that did not become events.
  void drop_waiting_selects();
  // Points the spans of `summary` to the arrays.
  const RunSummary& publish();
};

extern Recorder g_recorder;
inline Recorder& recorder() { return g_recorder; }

}  // namespace heddle::rt
