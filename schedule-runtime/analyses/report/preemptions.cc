#include "analyses/report/preemptions.h"

#include "base/reserved_array.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// The thread gave way by itself: it ended, yielded, or the operation that it did next had to wait for another thread.
bool gives_way(const Event& e) { return e.kind == Kind::thread_exit || kind_info(e.kind).has(kYields); }
bool waits(const Event& next) {
  if (!next.finished()) return kind_info(next.kind).has(kBlocks);
  return (next.flags & kEventContended) != 0 || next.kind == Kind::cond_wake || kind_info(next.kind).has(kYields);
}

// The lock that the thread wants next was free when the run switched away from it, after the event.
bool lock_was_free(const RunSummary& run, uint32_t event, const Event& next) {
  constexpr uint32_t kFar = 10'000;
  if (!kind_info(next.kind).has(kHoldsLock)) return false;
  for (uint32_t i = event + 1; i-- > 0 && event - i < kFar;) {
    const Event& e = run.events[i];
    if (e.kind == Kind::cond_wait && e.choice == next.object) return true;
    if (e.object != next.object || !e.finished() || e.outcome == Outcome::failure || e.outcome == Outcome::timeout) continue;
    if (kind_info(e.kind).has(kHoldsLock) || kind_info(e.kind).has(kDropsLock)) return kind_info(e.kind).has(kDropsLock);
  }
  return true;
}

}  // namespace

uint32_t preemptions(const RunSummary& run) {
  static constinit ReservedArray<uint32_t> next;  // by thread: its next event
  next.reserve(Recorder::kMaxThreads);
  for (uint32_t t = 0; t < run.thread_count; ++t) next[t] = kNoEvent;
  uint32_t count = 0;
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread >= run.thread_count) continue;
    const bool switches = e.finished() && i + 1 < run.event_count && run.events[i + 1].finished() && run.events[i + 1].thread != e.thread;
    const uint32_t then = next[e.thread];
    if (switches && !gives_way(e) && !(then != kNoEvent && waits(run.events[then]) && !lock_was_free(run, i, run.events[then]))) ++count;
    next[e.thread] = i;
  }
  return count;
}

}  // namespace heddle::rt
