// A cycle of locks and channels (docs/design/happens-before.md#mixed-deadlocks). A thread waits on a channel. The users of the other side
// of the channel wait, too. One of them waits, directly or indirectly, for a lock that the first thread holds.
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "analyses/report/operation_text.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMaxLength = 16;

// Has this thread done, or tried to do, the operation that would let `wait` go on?
bool would_partner(const RunSummary& run, uint32_t thread, const Event& wait) {
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.thread != thread || e.object != wait.object || !on_channel(e.kind)) continue;
    if (e.kind == Kind::select || wait.kind == Kind::select || e.kind != wait.kind) return true;
  }
  for (uint32_t c = 0; c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    if (s.object == wait.object && s.event < run.event_count && run.events[s.event].thread == thread) return true;
  }
  return false;
}

// A path along waits, from a thread on a channel back to itself.
struct Walk {
  const RunSummary& run;
  uint32_t path[kMaxLength];
  uint32_t length = 0;

  bool contains(uint32_t thread) const {
    for (uint32_t i = 0; i < length; ++i) {
      if (path[i] == thread) return true;
    }
    return false;
  }

  // `locks`: there was a lock among the waits so far.
  bool back_to_start(uint32_t thread, bool locks) {
    if (length == kMaxLength || !is_blocked(run.threads[thread])) return false;
    const uint32_t event = waiting_event(run, thread);
    if (event == kNoEvent) return false;
    path[length++] = thread;
    const Event& wait = run.events[event];
    const uint32_t awaited = awaited_thread(run, event);
    if (awaited != kNoEvent) {
      const bool lock = locks || kind_info(wait.kind).has(kHoldsLock);
      if (awaited == path[0] ? lock : !contains(awaited) && back_to_start(awaited, lock)) return true;
    } else if (on_channel(wait.kind) && wait.object != 0) {
      for (uint32_t other = 0; other < run.thread_count; ++other) {
        if (other == thread || !is_blocked(run.threads[other]) || !would_partner(run, other, wait)) continue;
        if (other == path[0] ? locks : !contains(other) && back_to_start(other, locks)) return true;
      }
    }
    --length;
    return false;
  }
};

void tell_wait(Text& out, const RunSummary& run, uint32_t event, uint32_t next) {
  put_wait(out, run, event);
  if (awaited_thread(run, event) != kNoEvent) return;
  out.put(", whose other side is ");
  put_thread(out, run, next);
}

}  // namespace

bool find_mixed_deadlock(const RunSummary& run, Story& story) {
  if (!any_blocked(run)) return false;
  const Hope hope(run);
  Walk walk{run, {}, 0};
  bool found = false;
  for (uint32_t t = 0; t < run.thread_count && !found; ++t) {
    if (!is_blocked(run.threads[t]) || hope[t]) continue;
    const uint32_t event = waiting_event(run, t);
    if (event != kNoEvent && on_channel(run.events[event].kind)) found = walk.back_to_start(t, false);
  }
  if (!found) return false;
  story.begin(FindingType::mixed_deadlock, run.events[waiting_event(run, walk.path[0])].object);
  story.what.add("%u threads wait for each other's locks and channels:\n", walk.length);
  for (uint32_t i = 0; i < walk.length; ++i) {
    const uint32_t wait = waiting_event(run, walk.path[i]);
    const uint32_t next = walk.path[(i + 1) % walk.length];
    story.what.put("  ");
    tell_wait(story.what, run, wait, next);
    story.what.put("\n");
    add_wait_stacks(story, run, wait, next);
  }
  story.what.put("\n");
  return true;
}

const Observer kMixedDeadlock = end_observer("mixed deadlock", [](RunSummary& run) { look_for(find_mixed_deadlock, run, true); });

}  // namespace heddle::rt
