// Delays (flow fuzzing, docs/design/flow.md#delay): hold one op until another has run or nothing else can run.
#include "scheduler/enforcement.h"

namespace heddle::rt {
namespace {

// "Any thread" on one side means: any but that of the other side. Otherwise a thread that makes both operations would hold itself back.
bool is_other(const Element& open, const Element& other, const Pending& p) { return open.thread != kAnyThread || p.thread != other.thread; }
bool holds(const Delay& d, const Pending& p) { return matches(d.what, p) && is_other(d.what, d.until, p); }
bool ends(const Delay& d, const Pending& p) { return matches(d.until, p) && is_other(d.until, d.what, p); }

}  // namespace

void Delays::begin(const ScheduleView& schedule) {
  schedule_ = schedule;
  live_ = static_cast<uint32_t>(schedule.delays.size());
  for (uint32_t i = 0; i < live_; ++i) done_[i] = false;
}

Verdict Delays::verdict(const Pending& p) const {
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    if (!done_[i] && holds(schedule_.delays[i], p)) return Verdict::held;
  }
  return Verdict::neutral;
}

bool Delays::executed(const Pending& p) {
  bool over = false;
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    if (done_[i] || !ends(schedule_.delays[i], p)) continue;
    done_[i] = true;
    --live_;
    over = true;
  }
  return over;
}

bool Delays::awaits(ThreadId thread) const {
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    const auto& [what, until] = schedule_.delays[i];
    if (!done_[i] && until.site != 0 && (until.thread == thread || (until.thread == kAnyThread && what.thread != thread))) return true;
  }
  return false;
}

bool Delays::release(const Pending& p) {
  bool released = false;
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    if (done_[i] || !holds(schedule_.delays[i], p)) continue;
    done_[i] = true;
    --live_;
    released = true;
  }
  return released;
}

}  // namespace heddle::rt
