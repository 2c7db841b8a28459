#include "engine/known_orders.h"

#include <cstring>

#include "schema/coherence.h"
#include "schema/identity.h"

namespace heddle::rt {

// Of an event among those of its run.
uint64_t KnownOrders::name(const RunSummary& run, uint32_t event) {
  if (event >= run.event_count) return 0;
  const Event& e = run.events[event];
  return mix(run.threads[e.thread].id, e.site + (static_cast<uint64_t>(e.occurrence) << 8 | static_cast<uint64_t>(e.kind)));
}

// Reads-from and the modification orders.
uint64_t KnownOrders::graph_of(const RunSummary& run) {
  uint64_t all = 0x3EA4;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.partner != kNoEvent) all += mix(name(run, i), name(run, e.partner));
  }
  for (uint32_t i = 0; i < run.coherence_count; ++i) {
    const StoreOrder& s = run.coherence[i];
    all += mix(name(run, s.event) + s.flags + 1, name(run, s.after));
  }
  return all;
}

uint64_t KnownOrders::order_of(const RunSummary& run, bool weak) {
  for (uint32_t i = 0; i < run.thread_count; ++i) threads_[i] = run.threads[i].id;
  memset(objects_.data(), 0, run.object_count * sizeof(ObjectOrder));
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    const auto how = static_cast<uint64_t>(e.kind) | static_cast<uint64_t>(e.outcome) << 8 |
                     static_cast<uint64_t>(e.flags & kEventRecursive) << 16 | static_cast<uint64_t>(e.value ^ e.choice) << 32;
    uint64_t now = threads_[e.thread] + (e.site ^ how);
    // Fences order each other, but have no object with an entry.
    if (e.object != 0 || e.kind == Kind::atomic_fence) {
      ObjectOrder& o = objects_[e.object];
      if (e.kind == Kind::atomic_load) {
        now = mix(now, o.changed);
        o.looked += now;
      } else {
        now = mix(now, o.changed + o.looked);
        o = {now, 0};
      }
    } else {
      now = mix(now, 0);
    }
    // A wait releases its mutex.
    if (e.kind == Kind::cond_wait) objects_[e.choice] = {mix(now, objects_[e.choice].changed), 0};
    threads_[e.thread] = now;
  }
  uint64_t all = weak ? graph_of(run) : 0;
  for (uint32_t i = 0; i < run.thread_count; ++i) all += mix(threads_[i], run.threads[i].id);
  return all | 1;
}

}  // namespace heddle::rt
