// Threads that are blocked at the end, that no thread can wake, and that are not in a cycle. Threads that could still run are not counted:
// they are only slow.
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "analyses/library_semaphore.h"

namespace heddle::rt {

namespace {

// Follows the waits from main to the one that finally blocks it. kNoEvent: main is not blocked.
template <typename StuckAt, typename Causes>
uint32_t holds_up_main(const RunSummary& run, StuckAt stuck_at, Causes causes) {
  uint32_t t = 0;
  for (uint32_t steps = 0; steps < run.thread_count && t != kNoEvent; ++steps) {
    const uint32_t wait = stuck_at(t);
    if (wait == kNoEvent || causes(wait)) return wait;
    t = awaited_thread(run, wait);
  }
  return kNoEvent;
}

}  // namespace

bool find_blocked_threads(const RunSummary& run, Story& story) {
  // While main still runs (a livelock), no thread was left behind yet.
  if (!any_blocked(run) || is_alive(run.threads[0])) return false;
  const bool main_blocked = is_blocked(run.threads[0]);
  if (!is_reported(FindingType::blocked_threads) && !main_blocked) return false;
  const Hope hope(run);
  uint32_t stuck = 0;
  uint32_t alive = 0;
  const auto stuck_at = [&](uint32_t t) { return is_blocked(run.threads[t]) && !hope[t] ? waiting_event(run, t) : kNoEvent; };
  const auto causes = [&](uint32_t wait) {
    const uint32_t awaited = awaited_thread(run, wait);
    return awaited == kNoEvent || !is_blocked(run.threads[awaited]);
  };
  // The position of the finding is one of those in its signature. It is the one that blocks main. Without one, it is the same position for any order
  // of threads. (Most programs have threads that wait for work without end, and no thread waits for these.)
  uint32_t first = holds_up_main(run, stuck_at, causes);
  const bool chosen = first != kNoEvent;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    alive += is_alive(run.threads[t]);
    const uint32_t wait = stuck_at(t);
    if (!chosen && wait != kNoEvent && causes(wait) && (first == kNoEvent || run.events[wait].site < run.events[first].site)) first = wait;
  }
  // If a thread waits for the end or the lock of another stuck thread, that is only a consequence. The causes come first.
  enum class Part { first, causes, consequences };
  for (const Part part : {Part::first, Part::causes, Part::consequences}) {
    for (uint32_t t = 0; t < run.thread_count; ++t) {
      const uint32_t wait = stuck_at(t);
      if (wait == kNoEvent) continue;
      const bool is_cause = causes(wait);
      if (part != (wait == first ? Part::first : is_cause ? Part::causes : Part::consequences)) continue;
      const uint32_t awaited = awaited_thread(run, wait);
      if (stuck++ == 0) {
        story.begin(FindingType::blocked_threads, run.events[wait].object);
        put_semaphore_note(story.what, run);
      }
      static constinit Text title;
      title.clear();
      put_wait(title, run, wait);
      story.what.put("  ");
      story.what.put(title.view());
      story.what.put("\n");
      title.put(", here");
      title.repeat('\0', 1);
      add_event_stack(story, run, wait, is_cause, title.view().data());
      const uint32_t taken = awaited != kNoEvent && is_cause ? acquisition(run, run.events[wait].object, awaited) : kNoEvent;
      if (taken == kNoEvent) continue;
      title.clear();
      put_thread(title, run, awaited);
      title.add(" acquired %s here and never released it", object_name(run, run.events[wait].object));
      title.repeat('\0', 1);
      add_event_stack(story, run, taken, true, title.view().data());
    }
  }
  if (stuck == 0) return false;
  story.what.put(main_blocked ? "The program cannot end: no thread is left that could wake these threads.\n"
                              : "The body has returned, and no thread is left that could wake these threads.\n");
  if (!main_blocked) {
    story.what.put("If this is intended (worker threads that wait for work), use the suppression 'thread:FUNCTION' or HEDDLE_OPTIONS=report_leaks=0.\n");
  }
  if (alive != 0) story.what.add("(Threads that can still run: %u. They are not part of the finding.)\n", alive);
  story.what.put("\n");
  return true;
}

const Observer kBlockedThreads = {"blocked threads", [](RunSummary& run) { look_for(find_blocked_threads, run); }};

}  // namespace heddle::rt
