// A cycle in the wait-for graph. Each thread waits for one other thread (the holder of a lock, or the thread to join). So each thread has
// at most one outgoing edge, and following the edges finds every cycle.
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "analyses/wait_words.h"

namespace heddle::rt {
namespace {

// A thread on a cycle; kNoEvent: there is none.
uint32_t on_cycle(const RunSummary& run) {
  static constinit ReservedArray<uint32_t> seen;  // the walk that came by, from 1
  seen.reserve(1 << 14);
  for (uint32_t t = 0; t < run.thread_count; ++t) seen[t] = 0;
  for (uint32_t start = 0; start < run.thread_count; ++start) {
    uint32_t t = start;
    while (t != kNoEvent && is_blocked(run.threads[t]) && seen[t] == 0) {
      seen[t] = start + 1;
      const uint32_t event = waiting_event(run, t);
      t = event != kNoEvent ? awaited_thread(run, event) : kNoEvent;
    }
    if (t != kNoEvent && seen[t] == start + 1) return t;
  }
  return kNoEvent;
}

uint32_t next_on_cycle(const RunSummary& run, uint32_t thread) { return awaited_thread(run, waiting_event(run, thread)); }

SiteId waiting_site(const RunSummary& run, uint32_t thread) { return run.events[waiting_event(run, thread)].site; }

}  // namespace

bool find_deadlock(const RunSummary& run, Story& story) {
  if (!any_blocked(run)) return false;
  const uint32_t found = on_cycle(run);
  if (found == kNoEvent) return false;
  // The report of a cycle always begins with the same thread, no matter which thread blocked last.
  uint32_t first = found;
  uint32_t length = 1;
  for (uint32_t t = next_on_cycle(run, found); t != found; t = next_on_cycle(run, t)) {
    ++length;
    if (waiting_site(run, t) < waiting_site(run, first)) first = t;
  }
  story.begin(FindingType::deadlock, run.events[waiting_event(run, first)].object);
  Text& what = story.what;
  if (length == 1) what.put("A thread waits for itself:\n");
  else what.add("%u threads wait for each other:\n", length);
  uint32_t t = first;
  do {
    const uint32_t wait = waiting_event(run, t);
    what.put("  ");
    put_wait(what, run, wait);
    what.put("\n");
    add_cancellation(story, run, wait);
    const uint32_t holder = awaited_thread(run, wait);
    add_wait_stacks(story, run, wait, holder);
    t = holder;
  } while (t != first);
  put_also_blocked(what, run, [&](uint32_t other) {
    bool member = other == first;
    for (uint32_t m = next_on_cycle(run, first); m != first; m = next_on_cycle(run, m)) member |= m == other;
    return member;
  });
  what.put("\n");
  return true;
}

const Observer kDeadlock = end_observer("deadlock", [](RunSummary& run) { look_for(find_deadlock, run, true); });

}  // namespace heddle::rt
