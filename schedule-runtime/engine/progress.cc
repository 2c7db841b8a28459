// Tells threads that make progress from threads that only spin (docs/design/runtime-laws.md#when-nothing-moves). A thread whose operations
// teach it nothing new is not a candidate while another thread can run.
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
    // The thread releases what it took. That is neither news nor a repetition, except for threads that failed to take it meanwhile.
    if (p.object->refused) ++news_;
    p.object->refused = false;
    return;
  } else if ((roles & kThread) != 0) {
    stale = false;
    ++news_;
  } else {
    // What this op learned: the value. For a lock: whether any thread did something new since the last time. (It is no news that another
    // thread held the lock in between: two threads that look at an empty queue in turn would keep each other going.) The key includes the
    // kind, and whether the op waits, because a wait is several operations at one site.
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

// A thread spins if its operations are stale, which an unwatched execution may not know.
[[gnu::noinline]] Pending* Engine::keeps_its_turn(Pending* const* candidates, uint32_t count) {
  Thread& t = threads_[last_thread_];
  if (t.goes_first == 0) {
    if (t.has_spun || t.spin_threshold == kSpinThreshold) return nullptr;
    turns_on_news();
    t.has_spun = t.stale_ops >= t.spin_threshold;
    if (t.has_spun) return nullptr;
  }
  const auto* const found = std::find(candidates, candidates + count, &t.op);
  const bool may = found != candidates + count;
  t.goes_first = static_cast<uint8_t>(may && t.goes_first != 0 ? t.goes_first - 1 : 0);
  return may ? *found : nullptr;
}

// A pause reports what its thread has done since the last pause: `windows` of plain accesses that all read a few locations, or 0 for
// anything else. If there are only such pauses for very long, no thread is left that would write these locations.
void Engine::looked(uint32_t windows) {
  const uint64_t others = recorder().events.size() - pauses_;
  vain_looks_ = windows != 0 && others == events_at_look_ ? vain_looks_ + windows : 0;
  events_at_look_ = others;
  ++pauses_;
}

// Something happened, so threads that had yielded may look again. A spinner looks again only if there is news. Otherwise spinners would
// wake each other by their own operations, and the other threads would never run.
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

bool Engine::time_stands_still(const Thread& reader) const {
  if (!assumes(kPatientTimeouts) || steps_ - time_moved_ >= kBusyWhileAsleep) return false;
  return reader.stale_ops < kPatientStale || std::any_of(ready_.begin(), ready_.end(), [](const Pending* p) { return goes_on(*p); });
}

uint64_t Engine::read_time(Thread& t) {
  constexpr uint64_t kCost = 1'000, kLongestStep = 100'000'000;  // ns
  constexpr uint32_t kMostDoublings = 17;
  const uint32_t doublings = t.clock_reads < kMostDoublings ? t.clock_reads : kMostDoublings;
  const uint64_t step = time_stands_still(t) ? kCost : kCost << doublings;
  advance_time(step < kLongestStep ? step : kLongestStep);
  t.clock_reads = doublings + 1;
  told(now_);
  return now_;
}

}  // namespace heddle::rt
