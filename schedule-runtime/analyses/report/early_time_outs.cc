#include "analyses/report/early_time_outs.h"

#include <algorithm>

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/wrappers.h"
#include "trace/recorder.h"
#include "trace/run_notes.h"

namespace heddle::rt {

namespace {

// With timeouts=patient. The threads that go on may wait for what a time limit brings, so it expires in the end.
void put_forced(Text& out, const RunSummary& run) {
  const uint32_t count = time_notes().forced();
  if (count == 0) return;
  if (count == 1) out.put("A time limit of ");
  else out.add("%u time limits expired although other threads could go on, the last one of ", count);
  put_thread(out, run, time_notes().forced_thread());
  out.put(count == 1 ? " expired although other threads could go on. They" : ". The others");
  out.add(" had made %u operations by then\n", time_notes().forced_after());
}

}  // namespace

void put_early_time_outs(Text& out, const RunSummary& run) {
  put_forced(out, run);
  const uint32_t early = time_notes().early();
  if (early == 0 || time_notes().last_early() >= run.event_count) return;
  const uint32_t last = time_notes().last_early();
  const Event& e = run.events[last];
  const auto jumps = static_cast<uint32_t>(std::count_if(run.events, run.events + run.event_count, [](const Event& o) { return o.kind == Kind::clock_jump; }));
  const uint32_t count = early - std::min(early, jumps);  // of time limits
  if (e.kind == Kind::clock_jump) out.put("Much time passed while other threads could go on: for ");
  else if (count == 1) out.put("A time limit expired while other threads could go on: of ");
  else out.add("%u time limits expired while other threads could go on, the last one of ", count);
  put_thread(out, run, e.thread);
  out.put(" at ");
  put_place(out, frame_outside_wrappers(recorder().position_of(run.events, last), recorder().context_of(last)));
  out.put(". Without such: HEDDLE_OPTIONS=timeouts=patient\n");
}

}  // namespace heddle::rt
