#include "analyses/report/stale_condition.h"

#include "analyses/report/memory_steps.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/step_row.h"

namespace heddle::rt {
namespace {

// Where the thread that waits took the mutex of its condition: conditions are read after that. 0: unknown.
uint32_t took_mutex(const RunSummary& run, uint32_t wait_began) {
  const Event& wait = run.events[wait_began];
  for (uint32_t i = wait_began; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread == wait.thread && e.finished() && (e.kind == Kind::cond_wake ? e.object == wait.object : e.object == wait.choice && kind_info(e.kind).has(kHoldsLock))) return i;
  }
  return 0;
}

// Where the thread last woke up from this condition variable. What it waits for again, it has read since. 0: it has not waited before.
uint32_t woke_up(const RunSummary& run, uint32_t wait_began) {
  const Event& wait = run.events[wait_began];
  for (uint32_t i = wait_began; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread == wait.thread && e.finished() && e.kind == Kind::cond_wake && e.object == wait.object) return i;
  }
  return 0;
}

// After the read, the actor has at most written over the change, up to the wait.
bool not_read_again(const MemorySteps& steps, uint32_t read, uint32_t change, uint32_t wait_began) {
  for (uint32_t own = steps.own_after(read); own != kNoStep && steps[own].before <= wait_began; own = steps.own_after(own)) {
    if (own < change || !steps.is_blind(own)) return false;
  }
  return true;
}

// Another thread's change of what this step read: the notifier's, before the notification. kNoStep: none, or the thread has looked again before it began
// to wait.
uint32_t unseen_change(const MemorySteps& steps, uint32_t read, const RunSummary& run, uint32_t wait_began, uint32_t notification) {
  const MemoryStep& s = steps[read];
  const uint32_t waiter = run.events[wait_began].thread;
  if (s.thread != waiter || s.before > wait_began || !s.reads || s.writes || s.inside) return kNoStep;
  const uint32_t change = steps.overwritten(read);
  if (change == kNoStep || steps[change].inside || steps[change].thread == waiter) return kNoStep;
  if (notification != kNoEvent && (steps[change].thread != run.events[notification].thread || steps[change].before > notification)) return kNoStep;
  return not_read_again(steps, read, change, wait_began) ? change : kNoStep;
}

// False: what was read has no name.
bool tell(Story& story, const RunSummary& run, const MemorySteps& steps, uint32_t read, uint32_t change, const char* indent) {
  const std::string_view name = name_of_step(story, run, steps[read]);
  if (name.empty()) return false;
  Text& what = story.what;
  what.put(indent);
  put_thread(what, run, steps[read].thread);
  what.put(" read ");
  what.put(name);
  what.put(" at ");
  put_place(what, steps.place(read));
  what.put(" before ");
  put_thread(what, run, steps[change].thread);
  what.put(" changed it at ");
  put_place(what, steps.place(change));
  what.put(", and did not read it again.");
  const uint32_t own = steps.own_after(read);
  const bool lost = own != kNoStep && own > change && steps.is_blind(own);
  if (lost) {
    what.put(" It wrote over that at ");
    put_place(what, steps.place(own));
    what.put(".");
  }
  what.put("\n");
  add_step(story, run, steps, read);
  add_step(story, run, steps, change);
  if (lost) add_step(story, run, steps, own);
  return true;
}

}  // namespace

bool add_stale_condition(Story& story, const RunSummary& run, uint32_t wait_began, uint32_t notification, const char* indent) {
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  const uint32_t since = notification == kNoEvent ? took_mutex(run, wait_began) : woke_up(run, wait_began);
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin && steps[i].before >= since;) {
    const uint32_t change = unseen_change(steps, i, run, wait_began, notification);
    if (change != kNoStep && tell(story, run, steps, i, change, indent)) return true;
  }
  return false;
}

bool add_outdated_decision(Story& story, const RunSummary& run, uint32_t wait_began, const char* indent) {
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const uint32_t change = unseen_change(steps, i, run, wait_began, kNoEvent);
    if (change != kNoStep && not_read_again(steps, i, change, ~0u) && steps.may_decide(i) && tell(story, run, steps, i, change, indent)) return true;
  }
  return false;
}

void add_unseen_by_notifier(Story& story, const RunSummary& run, uint32_t waiter, uint32_t notification, const char* indent) {
  const uint32_t notifier = run.events[notification].thread;
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin && steps[i].before > notification;) {
    const MemoryStep& s = steps[i];
    if (s.thread != notifier || !s.reads || s.writes || s.inside || steps.own_after(i) != kNoStep) continue;
    const uint32_t change = steps.overwritten(i);
    if (change == kNoStep || steps[change].thread != waiter || steps[change].inside) continue;
    if (tell(story, run, steps, i, change, indent)) return;
  }
}

bool add_seen_too_early(Story& story, const RunSummary& run, uint32_t wait_began, const char* indent) {
  const uint32_t waiter = run.events[wait_began].thread, since = took_mutex(run, wait_began);
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const MemoryStep& s = steps[i];
    if (s.thread == waiter || !s.reads || s.writes || s.inside || steps.own_after(i) != kNoStep) continue;
    const uint32_t change = steps.overwritten(i);
    if (change == kNoStep || steps[change].thread != waiter || steps[change].inside || steps[change].before < since || steps[change].before > wait_began) continue;
    if (tell(story, run, steps, i, change, indent)) return true;
  }
  return false;
}

}  // namespace heddle::rt
