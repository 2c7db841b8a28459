#include "analyses/what_it_read.h"

#include "analyses/report/memory_steps.h"
#include "analyses/report/slice.h"
#include "analyses/report/step_row.h"
#include "races/access_log.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// Where the thread last took a lock, or woke up with one, before this wait: it looks again after that. 0: never.
uint32_t last_looked_since(const RunSummary& run, uint32_t wait) {
  for (uint32_t i = wait; i-- > 0;) {
    if (const Event& e = run.events[i]; e.thread == run.events[wait].thread && e.finished() && !in_vain(e.outcome) && kind_info(e.kind).has(kHoldsLock)) return i;
  }
  return 0;
}

// The last write of another thread to these bytes before this write; kNoStep: none.
uint32_t replaced(const MemorySteps& steps, uint32_t write) {
  for (uint32_t i = write; i-- > 0;) {
    if (steps[i].writes && steps[i].overlaps(steps[write])) return steps[i].same_actor(steps[write]) ? kNoStep : i;
  }
  return kNoStep;
}

}  // namespace

void add_what_it_read(Story& story, const RunSummary& run, uint32_t wait) {
  const uint32_t position = recorder().position_of(run.events, wait);
  FailingMoment at = {run.events[wait].thread, position, recorder().context_of(wait), run.event_count, access_log().total(), true, last_looked_since(run, wait)};
  if (add_slice(story, run, at) != Explained::not_at_all || add_history(story, run, at)) return;
  at.since = 0;
  if (add_slice(story, run, at) == Explained::not_at_all) add_history(story, run, at);
}

void add_condition(Story& story, const RunSummary& run, uint32_t wait) {
  constexpr uint32_t kMost = 3;
  const uint32_t since = last_looked_since(run, wait);
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  uint32_t reads[kMost], count = 0;
  for (uint32_t i = steps.end(); i-- > 0 && count < kMost && steps[i].before > since;) {
    const MemoryStep& s = steps[i];
    if (s.thread != run.events[wait].thread || s.writes || !steps.may_decide(i)) continue;
    bool again = false;
    for (uint32_t n = 0; n < count; ++n) again |= steps[reads[n]].overlaps(s);
    if (!again) reads[count++] = i;
  }
  while (count-- > 0) {
    const uint32_t read = reads[count], source = steps.source(read);
    if (source != kNoStep && !steps.before_birth(read, source)) {
      // Its own write is of interest if it has replaced another thread's.
      const uint32_t other = steps[source].same_actor(steps[read]) ? replaced(steps, source) : source;
      const bool same_bytes = steps[source].begin == steps[read].begin && steps[source].end == steps[read].end;
      const LoggedAccess* const stored = same_bytes && steps[read].access != nullptr && steps[read].access->has_value ? steps[read].access : nullptr;
      if (other != kNoStep && other != source && !steps.before_birth(read, other)) add_step(story, run, steps, other);
      if (other != kNoStep) add_step(story, run, steps, source, stored);
    }
    add_step(story, run, steps, read);
  }
}

}  // namespace heddle::rt
