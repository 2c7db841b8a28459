// Chooses which events of a long run are kept if there is not enough room: those after the creation of the second thread. Before that
// event, no other order is possible, and a program can run for long with one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "schema/coherence.h"
#include "schema/event.h"

namespace heddle {

struct RunWindow {
  uint32_t first = 0;  // index in the run

  // The index among the kept events. kNoEvent for events that were left out before them.
  uint32_t index_of(uint32_t event) const { return event == kNoEvent || event < first ? kNoEvent : event - first; }
  void shift(Event& e) const { e.partner = index_of(e.partner); }
  void shift(ThreadRecord& t) const { t.create_event = index_of(t.create_event); }
  void shift(ObjectRecord& o) const { o.first_event = index_of(o.first_event); }
  void shift(SelectCase& c) const { c.event = index_of(c.event); }
  void shift(StoreOrder& s) const {
    s.event = index_of(s.event);
    s.after = index_of(s.after);
  }
  // Which of the records, from and to, are of the first `room` events of the window.
  std::pair<uint32_t, uint32_t> stores(const StoreOrder* records, uint32_t count, uint32_t room) const {
    const auto before = [](const StoreOrder& s, uint32_t event) { return s.event < event; };
    const StoreOrder* const begin = std::lower_bound(records, records + count, first, before);
    const StoreOrder* const end = std::lower_bound(begin, records + count, first + room, before);
    return {static_cast<uint32_t>(begin - records), static_cast<uint32_t>(end - records)};
  }
  template <typename T>
  void shift_all(T* records, uint32_t count) const {
    if (first == 0) return;
    for (uint32_t i = 0; i < count; ++i) shift(records[i]);
  }
};

inline RunWindow window_of(const RunSummary& run, uint32_t room) {
  if (run.event_count <= room || run.thread_count < 2 || run.threads[1].create_event >= run.event_count) return {};
  return {std::min(run.threads[1].create_event, run.event_count - room)};
}

}  // namespace heddle
