// What is recorded of the present execution: preallocated, and published as a RunSummary.
#pragma once

#include <cstdint>

#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

struct Recorder {
  static constexpr uint32_t kMaxEvents = 1 << 20;
  static constexpr uint32_t kMaxThreads = 1 << 14;
  static constexpr uint32_t kMaxObjects = 1 << 20;
  static constexpr uint32_t kMaxSelectCases = 1 << 20;
  static constexpr uint32_t kMaxChannels = 1 << 16;
  // SelectCase::event while its select waits: this and the thread's index.
  static constexpr uint32_t kWaiting = 1u << 31;

  ReservedArray<Event> events;
  ReservedArray<uint32_t> contexts;   // context node of each event
  ReservedArray<uint32_t> positions;  // its code position: Event::pc_index is the user's call, if that is in a library
  ReservedArray<ThreadRecord> threads;
  ReservedArray<ObjectRecord> objects;  // entry 0: no object
  ReservedArray<SelectCase> select_cases;
  ReservedArray<ChannelRecord> channels;
  RunSummary summary = {};

  void initialise();
  void begin(uint64_t input_hash, uint64_t seed);
  bool full() const { return events.full(); }
  // The index of the event that `write` writes in its place: a copy would have to wait for the bytes it is made of.
  template <typename Write>
  uint32_t add(uint32_t context, uint32_t position, Write write) {
    const uint32_t index = static_cast<uint32_t>(events.size());
    write(events.push());
    contexts.push() = context;
    positions.push() = position;
    return index;
  }
  // Of events that were not recorded here: 0, and what they say themselves.
  uint32_t context_of(uint32_t event) const { return event < contexts.size() ? contexts[event] : 0; }
  uint32_t position_of(const Event* all, uint32_t event) const { return event < positions.size() ? positions[event] : all[event].pc_index; }
  uint32_t waiting_selects = 0;  // whose cases are recorded and which are no event yet
  // The select that this thread waits in has become this event.
  void name_waiting_select(uint32_t thread, uint32_t event);
  // Forgets the cases whose select is no event.
  void drop_waiting_selects();
  // Fills the spans of `summary` from the arrays.
  const RunSummary& publish();
};

extern Recorder g_recorder;
inline Recorder& recorder() { return g_recorder; }

}  // namespace heddle::rt
