// Who makes progress and who only spins (RUNTIME.md 4): a thread whose operations teach it nothing new is not offered as long as anybody
// else can run.
#include "engine/engine.h"

namespace heddle::rt {

void Engine::note_progress(Thread& t, const Pending& p, const Commit& how) {
  const uint16_t roles = kind_info(p.kind).roles;
  bool stale;
  if ((roles & kPassive) != 0) {
    stale = true;
  } else if ((roles & kDropsLock) != 0) {
    return;  // gives back what it took: neither news nor a repetition
  } else {
    // What this op learnt: the value, and for locks whether another thread had it in between. The kind is part of the key:
    // a wait is several operations at one site.
    const bool from_other = how.partner != kNoEvent && recorder().events[how.partner].thread != t.index;
    const uint32_t learnt = (roles & kHoldsLock) != 0 && how.outcome != Outcome::failure
                                ? (from_other ? how.partner : 0)
                                : how.value ^ static_cast<uint32_t>(how.outcome);
    stale = t.spin.repeated(mix(mix(p.site, p.object_index), static_cast<uint8_t>(p.kind)), learnt);
    if ((roles & kThread) != 0) stale = false;
  }
  if (stale) {
    ++t.stale_ops;
  } else {
    t.stale_ops = 0;
    stale_choices_ = 0;
  }
}

// Something happened: whoever had yielded or spins may look again. A spinner is woken only by what could change what it reads.
void Engine::wake_idle(Kind kind, bool wrote) {
  const uint16_t roles = kind_info(kind).roles;
  if ((roles & kPassive) != 0) return;
  for (Pending* p : ready_) {
    if (!p->idle) continue;
    const bool spins = p->owner->stale_ops >= p->owner->spin_threshold;
    if (spins && ((roles & kWrites) == 0 || !wrote)) continue;
    if (spins) p->owner->stale_ops = p->owner->spin_threshold / 2;
    p->idle = false;
    --idle_count_;
  }
}

}  // namespace heddle::rt
