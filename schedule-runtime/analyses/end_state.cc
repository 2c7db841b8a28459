#include "analyses/end_state.h"

#include "analyses/held_locks.h"
#include "analyses/report/names.h"
#include "base/reserved_array.h"
#include "schema/ends_wait.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

constinit ReservedArray<uint8_t> g_hope;  // of the run that was examined last
// By thread: how often it has slept, or waited in vain until its time came; 0: it is not alive.
constinit ReservedArray<uint32_t> g_rounds;

void count_rounds(const RunSummary& run) {
  g_rounds.reserve(1 << 14);
  for (uint32_t t = 0; t < run.thread_count; ++t) g_rounds[t] = 0;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    g_rounds[e.thread] += is_alive(run.threads[e.thread]) && (e.kind == Kind::sleep || e.outcome == Outcome::timeout);
  }
}

}  // namespace

bool is_blocked(const ThreadRecord& thread) {
  const auto end = static_cast<ThreadEnd>(thread.state);
  return end == ThreadEnd::blocked || end == ThreadEnd::joinable_blocked;
}

bool is_alive(const ThreadRecord& thread) {
  const auto end = static_cast<ThreadEnd>(thread.state);
  return end == ThreadEnd::running || end == ThreadEnd::sleeping;
}

bool any_blocked(const RunSummary& run) {
  // The operations in which they wait are the last events of the run, if there was room for them.
  const bool all_told = run.event_count != 0 && (run.flags & kRunTruncated) == 0;
  if (all_told && run.events[run.event_count - 1].finished()) return false;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    if (is_blocked(run.threads[t])) return true;
  }
  return false;
}

const ThreadRecord& main_of(const RunSummary& run) {
  const uint32_t main = live_state().main_thread();
  return run.threads[main < run.thread_count ? main : 0];
}

bool is_elsewhere(const RunSummary& run, uint32_t thread) {
  const bool in_child = live_state().main_thread() != 0, all_told = (run.flags & kRunTruncated) == 0;
  return in_child && all_told && static_cast<ThreadEnd>(run.threads[thread].state) == ThreadEnd::finished && exit_of(run, thread) == kNoEvent;
}

uint32_t waiting_event(const RunSummary& run, uint32_t thread) {
  for (uint32_t i = run.event_count; i-- > 0 && !run.events[i].finished();) {
    if (run.events[i].thread == thread) return i;
  }
  return kNoEvent;
}

uint32_t exit_of(const RunSummary& run, uint32_t thread) {
  for (uint32_t i = run.event_count; i-- > 0;) {
    if (run.events[i].thread == thread && run.events[i].kind == Kind::thread_exit) return i;
  }
  return kNoEvent;
}

bool takes_alone(Kind kind) { return kind_info(kind).has(kHoldsLock) || kind == Kind::once_begin; }

uint32_t awaited_thread(const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  if (e.object == 0 || e.object >= run.object_count) return kNoEvent;
  if (kind_info(e.kind).has(kThread)) return thread_behind(run, e.object);
  const uint32_t holder = run.objects[e.object].holder;
  return takes_alone(e.kind) && holder != 0 ? holder - 1 : kNoEvent;
}

uint32_t acquisition(const RunSummary& run, uint32_t object, uint32_t holder) {
  // A reader may hold a lock more than once. Since when it does is where the first of these began.
  const HeldLocks held = held_locks(run, holder, run.event_count);
  for (uint32_t i = 0; i < held.count; ++i) {
    if (run.events[held.event[i]].object == object) return held.event[i];
  }
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object == object && e.thread == holder && e.finished() && takes_alone(e.kind) &&
        (e.flags & kEventRecursive) == 0 && !in_vain(e.outcome)) {
      return i;
    }
  }
  return kNoEvent;
}

Hope::Hope(const RunSummary& run) {
  count_rounds(run);
  g_hope.reserve(1 << 14);
  bool any = false;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    g_hope[t] = is_alive(run.threads[t]);
    any |= g_hope[t] != 0;
  }
  while (any) {
    any = false;
    for (uint32_t t = 0; t < run.thread_count; ++t) {
      if (g_hope[t] != 0 || !is_blocked(run.threads[t])) continue;
      const uint32_t event = waiting_event(run, t);
      if (event == kNoEvent || !may_wake(run, event)) continue;
      g_hope[t] = 1;
      any = true;
    }
  }
}

bool Hope::may_wake(const RunSummary& run, uint32_t event) const {
  const uint32_t awaited = awaited_thread(run, event);
  if (awaited != kNoEvent) return g_hope[awaited] != 0;
  const uint32_t object = run.events[event].object;
  if (object == 0) return false;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.object == object && g_hope[e.thread] != 0 && (g_rounds[e.thread] < kLeastRoundsOfService || may_end_wait(e.kind))) return true;
  }
  // A select waits on all of its channels. And a thread that had the object as a select case may use it again.
  for (uint32_t c = 0; c < run.select_case_count; ++c) {
    const SelectCase& mine = run.select_cases[c];
    if (mine.object == 0 || (mine.event != event && mine.object != object)) continue;
    if (mine.event != event) {
      if (mine.event < run.event_count && g_hope[run.events[mine.event].thread] != 0) return true;
      continue;
    }
    for (uint32_t i = 0; i < run.event_count; ++i) {
      if (run.events[i].object == mine.object && g_hope[run.events[i].thread] != 0) return true;
    }
  }
  return false;
}

bool Hope::operator[](uint32_t thread) const { return g_hope[thread] != 0; }

}  // namespace heddle::rt
