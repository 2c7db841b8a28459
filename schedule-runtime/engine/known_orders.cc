#include "engine/known_orders.h"

#include <cstring>

#include "schema/identity.h"

namespace heddle::rt {

uint64_t KnownOrders::order_of(const RunSummary& run) {
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
  uint64_t all = 0;
  for (uint32_t i = 0; i < run.thread_count; ++i) all += mix(threads_[i], run.threads[i].id);
  return all | 1;
}

}  // namespace heddle::rt
