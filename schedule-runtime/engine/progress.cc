// Who makes progress and who only spins (docs/design/runtime-laws.md#when-nothing-moves): a thread whose operations teach it nothing new
// is not offered as long as anybody else can run.
#include "engine/engine.h"

#include <algorithm>

namespace heddle::rt {

void Engine::note_progress(Thread& t, const Pending& p, const Commit& how) {
  const uint16_t roles = kind_info(p.kind).roles;
  bool stale;
  if (__builtin_expect(how.news, 0)) {
    stale = false;
    ++news_;
  } else if (__builtin_expect((roles & kPassive) != 0, 0)) {
    stale = true;
  } else if ((roles & kDropsLock) != 0) {
    // Gives back what it took: neither news nor a repetition, but for those who tried in vain to take it meanwhile.
    if (p.object->refused) ++news_;
    p.object->refused = false;
    return;
  } else if ((roles & kThread) != 0) {
    stale = false;
    ++news_;
  } else {
    // What this op learnt: the value; and for a lock, whether anybody did anything new since the last time. (That another thread had it
    // in between is no news: two threads that look at a queue in turn and find it empty would keep each other going.) The kind
    // is part of the key, and whether it waits: a wait is several operations at one site.
    const bool lock = (roles & kHoldsLock) != 0 && how.outcome != Outcome::failure;
    const uint32_t learnt = lock ? news_ : how.value ^ static_cast<uint32_t>(how.outcome);
    stale = t.spin.repeated(mix(mix(p.site, p.object_index), static_cast<uint8_t>(p.kind) | (p.may_go != nullptr ? 0x100 : 0)), learnt);
    if (__builtin_expect(stale, 0) && lock && p.deadline != kNever) turns_on_news();
    if (!stale && !lock) ++news_;
    if ((roles & kHoldsLock) != 0 && !lock) p.object->refused = true;
  }
  if (__builtin_expect(stale, 0)) {
    ++t.stale_ops;
    t.stale_sleeps += p.deadline != kNever;
  } else {
    t.stale_ops = t.stale_sleeps = 0;
    stale_choices_ = 0;
  }
}

// A pause says what its thread has done since the last one: `windows` of plain accesses, all of them reads of a few places, or 0, anything else. When nothing but
// such pauses has come for very long, nobody is left who would write what they look at.
void Engine::looked(uint32_t windows) {
  const uint64_t others = recorder().events.size() - pauses_;
  vain_looks_ = windows != 0 && others == events_at_look_ ? vain_looks_ + windows : 0;
  events_at_look_ = others;
  ++pauses_;
}

// Something happened: whoever had yielded may look again. A spinner looks again only when there are news: spinners that woke each other with their
// comings and goings would never let the others run.
void Engine::wake_idle(Kind kind) {
  const uint16_t roles = kind_info(kind).roles;
  if ((roles & kPassive) != 0) return;
  for (Pending* p : ready_) {
    if (!p->idle) continue;
    const bool spins = p->owner->stale_ops >= p->owner->spin_threshold;
    if (spins && p->owner->news_seen == news_) {
      turns_on_news();
      continue;
    }
    if (spins) p->owner->stale_ops = p->owner->spin_threshold / 2;
    p->idle = false;
    --idle_count_;
  }
}

bool Engine::time_stands_still() const {
  if (!assumes(kPatientTimeouts) || steps_ - time_moved_ >= kBusyWhileAsleep) return false;
  return std::any_of(ready_.begin(), ready_.end(), [](const Pending* p) { return goes_on(*p); });
}

uint64_t Engine::read_time(Thread& t) {
  constexpr uint64_t kCost = 1'000, kLongestStep = 100'000'000;  // ns
  constexpr uint32_t kMostDoublings = 17;
  const uint32_t doublings = t.clock_reads < kMostDoublings ? t.clock_reads : kMostDoublings;
  const uint64_t step = time_stands_still() ? kCost : kCost << doublings;
  advance_time(step < kLongestStep ? step : kLongestStep);
  t.clock_reads = doublings + 1;
  told(now_);
  return now_;
}

}  // namespace heddle::rt
