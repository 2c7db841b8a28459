// A run that was stopped, and not at its end: one note in a process, or in several that make its executions, with the threads that still ran, and
// those that had waited for long.
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "analyses/report/positions.h"
#include "analyses/report/report.h"
#include "analyses/report/symbolizer.h"
#include "trace/live_state.h"
#include "trace/run_notes.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kLately = 4096;  // operations: who has made one of so many still runs
constexpr uint32_t kMostThreads = 4;

// Where the thread is: at its unfinished operation, or its last one if the recording was full. kNoEvent: it has done nothing lately.
// The thread of the last operation of all was stopped at its end, and has no other one.
uint32_t still_runs(const RunSummary& run, uint32_t thread, uint32_t last) {
  if (last != kNoEvent && run.events[last].thread == thread) return last;
  if (!is_alive(run.threads[thread])) return kNoEvent;
  const uint32_t waits = waiting_event(run, thread);
  for (uint32_t i = run.event_count, looked = 0; i-- > 0 && looked < kLately;) {
    const Event& e = run.events[i];
    if (!e.finished()) continue;
    if (e.thread == thread) return waits != kNoEvent ? waits : i;
    ++looked;
  }
  return kNoEvent;
}

uint32_t last_operation(const RunSummary& run) {
  uint32_t i = run.event_count;
  while (i != 0 && !run.events[i - 1].finished()) --i;
  return i != 0 ? i - 1 : kNoEvent;
}

void put_place_of(Text& out, const RunSummary& run, uint32_t event) {
  put_place(out, user_site(recorder().position_of(run.events, event), recorder().context_of(event)));
}

void put_stack_of(Text& out, const RunSummary& run, uint32_t event) {
  put_stack(out, recorder().position_of(run.events, event), recorder().context_of(event));
}

// A service that never rests may hide that they wait for ever. Nobody knows, so it is no finding.
void tell_who_waits(const RunSummary& run, Text& out) {
  uint32_t told = 0;
  for (uint32_t t = 0; t < run.thread_count && told < kMostThreads; ++t) {
    const uint32_t wait = is_blocked(run.threads[t]) ? waiting_event(run, t) : kNoEvent;
    if (wait == kNoEvent || run.events[wait].req > run.steps) continue;  // an operation takes two steps
    ++told;
    out.put("heddle: note: ");
    put_wait(out, run, wait);
    out.put(", since the first half of the execution, here:\n");
    put_stack_of(out, run, wait);
  }
}

void tell_who_waits_for_time(const RunSummary& run, Text& out) {
  const uint32_t thread = time_notes().held_up();
  const uint32_t wait = thread < run.thread_count ? waiting_event(run, thread) : kNoEvent;
  if (wait == kNoEvent) return;
  out.put("heddle: note: ");
  put_thread(out, run, thread);
  out.put(" still waits for a time limit (with timeouts=patient, time hardly passes while other threads go on), here:\n");
  put_stack_of(out, run, wait);
}

}  // namespace

bool tell_cut_short(const RunSummary& run, Text& out) {
  if ((run.flags & kRunStepBound) == 0 || run.thread_count == 0) return false;
  out.add("heddle: note: an execution was stopped after %u operations", run.steps);
  const uint32_t last = last_operation(run);
  if (last != kNoEvent) {
    out.put(", the last one at ");
    put_place_of(out, run, last);
  }
  out.put(static_cast<ThreadEnd>(main_of(run).state) == ThreadEnd::finished ? ". Its main had returned, and other threads went on. What they would do next is unknown"
                                                                             : ". Its outcome is unknown");
  out.put(" (HEDDLE_OPTIONS=stats=1 counts such executions)\n");
  uint32_t told = 0;
  for (uint32_t t = 0; t < run.thread_count && told < kMostThreads; ++t) {
    const uint32_t event = still_runs(run, t, last);
    if (event == kNoEvent) continue;
    ++told;
    out.put("heddle: note: ");
    put_thread(out, run, t);
    out.put(" was still running, here:\n");
    put_stack_of(out, run, event);
  }
  tell_who_waits(run, out);
  tell_who_waits_for_time(run, out);
  return true;
}

const Observer kCutShort = end_observer("cut short", [](RunSummary& run) {
  if ((run.flags & kRunStepBound) == 0 || !first_cut_short()) return;
  const OutsideExecution outside;
  static constinit Text text;
  text.clear();
  forget_names();
  if (!tell_cut_short(run, text)) return;
  text.flush(2);
  stop_symbolizer();  // where descriptors are put back between executions its pipes would be closed
});

}  // namespace heddle::rt
