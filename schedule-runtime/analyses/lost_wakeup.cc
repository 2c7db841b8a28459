// A thread waits on a condition variable for a notification that came too early: it was sent before the wait, with no waiter, and no other
// one has come since. Exception: if the thread has seen what other threads did after the notification, and still waits, it waits for
// another notification. A broadcast is lost for a thread that holds the mutex and is about to wait, even if it wakes other threads.
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "analyses/report/stale_condition.h"
#include "races/race_detector.h"

namespace heddle::rt {
namespace {

bool notifies(const Event& e) { return e.kind == Kind::cond_signal || e.kind == Kind::cond_broadcast; }

struct Lost {
  uint32_t wake = kNoEvent;    // the unfinished wait
  uint32_t wait = kNoEvent;    // where it began
  uint32_t signal = kNoEvent;  // what it missed
  uint32_t lock = kNoEvent;    // where the waiter took the mutex before
};

// It reads, with a visible operation, something that another thread has written since this thread began.
bool hears(const RunSummary& run, const Event& e) {
  if (!kind_info(e.kind).has(kReads) || (!kind_info(e.kind).has(kAtomic) && !kind_info(e.kind).has(kPlain)) || e.partner >= run.event_count) return false;
  const uint32_t born = run.threads[e.thread].create_event;
  return run.events[e.partner].thread != e.thread && (born == kNoEvent || e.partner > born);
}

bool missed(const RunSummary& run, uint32_t thread, Lost& lost) {
  lost = {};
  lost.wake = waiting_event(run, thread);
  if (lost.wake == kNoEvent || run.events[lost.wake].kind != Kind::cond_wake) return false;
  const uint32_t cond = run.events[lost.wake].object;
  uint32_t heard_at = race_detector_heard_at(thread);
  for (uint32_t i = lost.wake; i-- > 0;) {
    const Event& e = run.events[i];
    if (!e.finished()) continue;
    if (lost.wait == kNoEvent) {
      if (e.object == cond && notifies(e)) return false;  // a later notification: it has woken another thread
      if (e.thread == thread && e.object == cond && e.kind == Kind::cond_wait) lost.wait = i;
      continue;
    }
    const bool locks = e.object == run.events[lost.wait].choice && kind_info(e.kind).has(kHoldsLock);
    const bool wakes = e.object == cond && e.kind == Kind::cond_wake;  // with the mutex
    if (lost.lock == kNoEvent && e.thread == thread && (locks || wakes)) lost.lock = i;
    if (lost.signal == kNoEvent && e.object == cond && notifies(e) && e.thread != thread) {
      const bool before_the_wait = e.kind == Kind::cond_broadcast && lost.lock == kNoEvent;
      if (e.outcome != Outcome::failure && !before_the_wait) return false;  // it woke a thread: it is not lost
      if (lost.lock != kNoEvent && heard_at > i) return false;  // it took the mutex after it, and has seen its effect
      lost.signal = i;
    }
    if (e.thread == thread && hears(run, e) && heard_at <= i) heard_at = i + 1;
  }
  return lost.wait != kNoEvent && lost.signal != kNoEvent && (lost.lock != kNoEvent || run.events[lost.signal].outcome == Outcome::failure);
}

}  // namespace

bool find_lost_wakeup(const RunSummary& run, Story& story) {
  if (!any_blocked(run)) return false;
  if (!is_reported(FindingType::lost_wakeup) && !is_blocked(main_of(run))) return false;
  const Hope hope(run);
  // If there are several lost wake-ups, always choose the one at the same position, independent of the order of threads.
  Lost lost;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    Lost other;
    if (!is_blocked(run.threads[t]) || hope[t] || !missed(run, t, other)) continue;
    if (lost.wake == kNoEvent || run.events[other.wake].site < run.events[lost.wake].site) lost = other;
  }
  if (lost.wake != kNoEvent) {
    const uint32_t t = run.events[lost.wake].thread;
    const Event& signal = run.events[lost.signal];
    const uint32_t cond = signal.object;
    story.begin(FindingType::lost_wakeup, cond);
    Text& what = story.what;
    put_thread(what, run, t);
    what.add(" waits on %s and receives no notification.\n", object_name(run, cond));
    put_thread(what, run, signal.thread);
    const bool no_waiter = signal.outcome == Outcome::failure;
    what.add(" %s %s before this wait began%s.\n", signal.kind == Kind::cond_signal ? "signalled" : "broadcast to", object_name(run, cond),
             no_waiter ? ", with no waiter" : "");
    if (lost.lock != kNoEvent && run.events[lost.lock].done < signal.done) {
      put_thread(what, run, t);
      what.add(" had already locked the mutex %s for its check: the notification was sent without holding the mutex.\n",
               object_name(run, run.events[lost.wait].choice));
    } else {
      put_thread(what, run, t);
      what.put(" does not check its condition before it waits, or it checks the wrong condition.\n");
    }
    add_stale_condition(story, run, lost.wait, lost.signal);
    put_also_blocked(what, run, [&](uint32_t other) { return other == t || hope[other]; });
    what.put("\n");
    static constinit Text title;
    title.clear();
    put_thread(title, run, t);
    title.add(" waits on %s, here", object_name(run, cond));
    title.repeat('\0', 1);
    add_event_stack(story, run, lost.wake, true, title.view().data());
    title.clear();
    put_thread(title, run, signal.thread);
    title.put(no_waiter ? "'s notification, with no waiter" : "'s notification, sent before this wait began");
    title.repeat('\0', 1);
    add_event_stack(story, run, lost.signal, true, title.view().data());
    story.add_event(lost.wait);
    story.add_event(lost.lock);
    return true;
  }
  return false;
}

const Observer kLostWakeup = end_observer("lost wake-up", [](RunSummary& run) { look_for(find_lost_wakeup, run); });

}  // namespace heddle::rt
