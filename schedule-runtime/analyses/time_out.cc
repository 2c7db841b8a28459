#include "analyses/time_out.h"

#include <unwind.h>

#include "analyses/end_findings.h"
#include "analyses/go_on.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "base/line.h"
#include "base/own_code.h"
#include "trace/live_state.h"
#include "trace/sites.h"

extern "C" {
__attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*);
__attribute__((weak)) _Unwind_Ptr _Unwind_GetIPInfo(_Unwind_Context*, int*);
}

namespace heddle::rt {
namespace {

constinit bool (*g_pass_on)() = nullptr;

// The last finished operation of the thread itself; kNoEvent: none. Pauses, which heddle inserts into long computations, do not count.
uint32_t last_operation(const RunSummary& run, uint32_t thread) {
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread == thread && e.finished() && e.kind != Kind::spin_pause) return i;
  }
  return kNoEvent;
}

// Where the program was. It is usually in a callback for accesses, which has no frame.
struct Way {
  uintptr_t from;
  bool begun;
  uintptr_t program;  // a return address
};

_Unwind_Reason_Code step(_Unwind_Context* frame, void* argument) {
  Way& way = *static_cast<Way*>(argument);
  int before = 0;  // 1: the address is that of the interrupted instruction, not of a call
  const uintptr_t at = _Unwind_GetIPInfo(frame, &before);
  if (at == 0) return _URC_END_OF_STACK;
  way.begun |= at == way.from;
  if (!way.begun || of_heddle(before != 0 ? at : at - 1)) return _URC_NO_REASON;
  way.program = before != 0 ? at + 1 : at;
  return _URC_END_OF_STACK;
}

uintptr_t position_in_program(uintptr_t interrupted) {
  Way way = {interrupted, false, 0};
  if (&_Unwind_Backtrace != nullptr) _Unwind_Backtrace(step, &way);
  return way.program != 0 ? way.program : interrupted + 1;
}

}  // namespace

// The position at which the clock stops a thread in a loop is arbitrary. The last operation is the same in each run, so it is in the
// signature.
void tell_time_out(const RunSummary& run, uint32_t thread, uint32_t site, uint32_t context, Story& story) {
  story.begin(FindingType::timeout, 0);
  story.header = false;
  story.thread = thread;
  const uint32_t last = last_operation(run, thread);
  Text& what = story.what;
  put_thread(what, run, thread);
  what.put(" was running and reached no further operation.\n\n");
  story.add_stack(site, context, false, "%s", thread_title(run, thread, " was here"));
  if (last != kNoEvent) add_event_stack(story, run, last, true, thread_title(run, thread, "'s last operation was here"));
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    Event e;
    uint32_t reached_by;
    if (t == thread || !live_state().pending(t, e, reached_by)) continue;
    story.add_stack(e.pc_index, reached_by, false, "%s", thread_title(run, t, " was here"));
  }
}

void set_time_out_hook(bool (*pass_on)()) { g_pass_on = pass_on; }

void report_time_out() {
  if (g_pass_on != nullptr && g_pass_on()) return;
  OutsideExecution outside;
  const uint32_t thread = live_state().current_thread();
  const uintptr_t at = interrupted_at();
  if (thread == kNoEvent || at == 0) return;
  forget_names();
  recorder().summary.flags |= kRunTimedOut;
  tell_time_out(recorder().publish(), thread, sites().index_of(position_in_program(at)), live_state().current_context(), scratch_story());
  report(scratch_story(), false);
  if (goes_on_after_own_failure()) print_line(2, "heddle: the search cannot go on after a time-out: libFuzzer ends the process\n");
}

}  // namespace heddle::rt
