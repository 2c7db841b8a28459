// Hand-written runs for the tests of order/.
#pragma once

#include <vector>

#include "schema/event.h"

namespace heddle {

struct TraceBuilder {
  std::vector<Event> events;
  std::vector<ThreadRecord> threads;
  uint32_t clock = 0;

  Event& add(uint32_t thread, Kind kind, uint32_t object, Outcome outcome = Outcome::none) {
    Event e{};
    e.site = 100 + events.size();
    e.thread = thread;
    e.object = object;
    e.occurrence = 1;
    e.req = ++clock;
    e.done = ++clock;
    e.partner = kNoEvent;
    e.kind = kind;
    e.order = MemoryOrder::seq_cst;
    e.outcome = outcome;
    events.push_back(e);
    while (threads.size() <= thread) threads.push_back({kMainThread + threads.size(), 0, kNoEvent, 0, 0, {}});
    return events.back();
  }
  Event& blocked(uint32_t thread, Kind kind, uint32_t object) {
    Event& e = add(thread, kind, object);
    e.done = 0;
    return e;
  }
  uint32_t last() const { return static_cast<uint32_t>(events.size() - 1); }
  RunSummary summary() const {
    RunSummary run{};
    run.events = events.data();
    run.event_count = static_cast<uint32_t>(events.size());
    run.threads = threads.data();
    run.thread_count = static_cast<uint32_t>(threads.size());
    return run;
  }
};

}  // namespace heddle
