#include "analyses/held_locks.h"

#include "schema/kinds.h"

namespace heddle::rt {

// A wait releases its mutex and takes it again. The second is an event like any other lock. In between, the thread accesses nothing.
HeldLocks held_locks(const RunSummary& run, uint32_t thread, uint32_t events) {
  HeldLocks held;
  uint32_t depth[HeldLocks::kMost] = {};
  for (uint32_t i = 0; i < events && i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if ((e.thread == thread) == ((e.flags & kEventForeign) != 0) || e.object == 0 || !e.finished() || in_vain(e.outcome)) continue;
    const bool takes = kind_info(e.kind).has(kHoldsLock);
    if (!takes && !kind_info(e.kind).has(kDropsLock)) continue;
    uint32_t at = 0;
    while (at < held.count && run.events[held.event[at]].object != e.object) ++at;
    if (takes && at < held.count) {
      if ((e.flags & kEventRecursive) != 0 || !kind_info(e.kind).has(kWrites)) ++depth[at];
    } else if (takes && at < HeldLocks::kMost) {
      held.event[at] = i;
      depth[at] = 1;
      ++held.count;
    } else if (!takes && at < held.count && --depth[at] == 0) {
      --held.count;
      for (; at < held.count; ++at) {
        held.event[at] = held.event[at + 1];
        depth[at] = depth[at + 1];
      }
    }
  }
  return held;
}

}  // namespace heddle::rt
