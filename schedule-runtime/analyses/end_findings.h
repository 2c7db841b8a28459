// Code that the analyses of the end of a run share. Private to analyses/.
#pragma once

#include "analyses/end_state.h"
#include "analyses/report/names.h"
#include "analyses/report/report.h"
#include "analyses/signals.h"
#include "trace/observer.h"
#include "trace/recorder.h"

namespace heddle::rt {

// If a run was cut short, its end is not known. And one finding per run is enough.
inline bool end_is_open(const RunSummary& run) {
  return (run.flags & (kRunStepBound | kRunTruncated | kRunFinding)) != 0;
}

// There is only one story at a time.
Story& scratch_story();

using Find = bool (*)(const RunSummary& run, Story& story);
// A program that ends may end its threads while they wait. But a cycle is a finding in any case, because it can never end by itself.
inline void look_for(Find find, const RunSummary& run, bool cycle = false) {
  static uint64_t told = ~uint64_t{0};  // shared by all analyses: otherwise they would report the same end under several names
  if (end_is_open(run) || told == executions_begun() || ((run.flags & kRunExited) != 0 && !cycle)) return;
  forget_names();
  if (!find(run, scratch_story())) return;
  told = executions_begun();
  report(scratch_story(), true);
}

// What the analyses of the end look for are threads that have not finished.
constexpr Observer end_observer(const char* name, void (*look)(RunSummary& run)) { return {.name = name, .execution_ended = look, .only_unfinished = true}; }

// "main.1 waits to lock M1" and, if it waits for one thread, ", which main.2 holds".
void put_wait(Text& out, const RunSummary& run, uint32_t event);
// "Also blocked:" and the waits of those blocked threads for which `told` is false. Nothing if there are none.
template <typename Told>
void put_also_blocked(Text& out, const RunSummary& run, Told told) {
  bool any = false;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint32_t wait = is_blocked(run.threads[t]) && !told(t) ? waiting_event(run, t) : kNoEvent;
    if (wait == kNoEvent) continue;
    out.put(any ? "  " : "Also blocked:\n  ");
    put_wait(out, run, wait);
    out.put("\n");
    any = true;
  }
}
// The stacks of a wait in a cycle: where it waits, and where `holder`, the thread that it waits for, took the lock.
void add_wait_stacks(Story& story, const RunSummary& run, uint32_t wait, uint32_t holder);
// The stack of an operation in the trace. The second function also marks its row.
void add_stack_of(Story& story, const RunSummary& run, uint32_t event, bool signs, const char* what);
void add_event_stack(Story& story, const RunSummary& run, uint32_t event, bool signs, const char* what);

}  // namespace heddle::rt
