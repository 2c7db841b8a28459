// Delays (flow fuzzing, docs/design/flow.md#delay): hold one op until another has run or nothing else can run.
#include "scheduler/enforcement.h"

namespace heddle::rt {

void Delays::begin(const ScheduleView& schedule) {
  schedule_ = schedule;
  live_ = static_cast<uint32_t>(schedule.delays.size());
  for (uint32_t i = 0; i < live_; ++i) done_[i] = false;
}

Verdict Delays::verdict(const Pending& p) const {
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    if (!done_[i] && matches(schedule_.delays[i].what, p)) return Verdict::held;
  }
  return Verdict::neutral;
}

bool Delays::executed(const Pending& p) {
  bool over = false;
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    if (done_[i] || !matches(schedule_.delays[i].until, p)) continue;
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
    if (done_[i] || !matches(schedule_.delays[i].what, p)) continue;
    done_[i] = true;
    --live_;
    released = true;
  }
  return released;
}

}  // namespace heddle::rt
