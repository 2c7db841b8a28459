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
    if (switches && !gives_way(e) && !(then != kNoEvent && waits(run.events[then]))) ++count;
    next[e.thread] = i;
  }
  return count;
}

}  // namespace heddle::rt
