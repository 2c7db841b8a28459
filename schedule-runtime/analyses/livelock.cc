// The run ended although some threads could run: the engine saw only threads that spin and learn nothing new. While main has not ended, that is
// a livelock; afterwards the threads are endless. (engine/ladder.cc decides this after a number of choices. If a run reaches the step bound
// while a thread learns something, that is no finding: the run may just be long.)
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "analyses/last_races.h"
#include "analyses/library_semaphore.h"
#include "analyses/report/positions.h"
#include "analyses/spin.h"
#include "analyses/spin_reads.h"

namespace heddle::rt {
namespace {

// The position at which a thread in a loop is stopped is arbitrary. So the report always takes the same position of the loop: if possible,
// one that reads something.
uint32_t position_in_loop(const RunSummary& run, uint32_t spin, uint32_t next) {
  const auto before = [&](const Event& a, const Event& b) {
    const bool a_reads = kind_info(a.kind).has(kReads), b_reads = kind_info(b.kind).has(kReads);
    return a_reads != b_reads ? a_reads : a.site < b.site;
  };
  uint32_t best = next;
  for (uint32_t i = spin; i < run.event_count; ++i) {
    if (run.events[i].thread == run.events[next].thread && before(run.events[i], run.events[best])) best = i;
  }
  return best;
}

bool main_has_ended(const RunSummary& run) { return static_cast<ThreadEnd>(main_of(run).state) == ThreadEnd::finished; }

// The spinning threads. False: there are none.
bool tell_spinning(const RunSummary& run, Story& story, FindingType type) {
  const uint32_t spin = spin_begin(run);
  uint32_t running = 0;
  static constinit Text list;
  list.clear();
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint32_t next = is_alive(run.threads[t]) ? waiting_event(run, t) : kNoEvent;
    if (next == kNoEvent) continue;
    const uint32_t event = position_in_loop(run, spin, next);
    if (running++ == 0) story.begin(type, run.events[event].object);
    static constinit Text title;
    title.clear();
    put_thread(title, run, t);
    title.put(" spins");
    list.put("  ");
    list.put(title.view());
    list.put(" at ");
    put_place(list, user_site(recorder().position_of(run.events, event), recorder().context_of(event)));
    put_spin_reads(list, run, story, spin, t);
    list.put("\n");
    title.put(" here");
    title.repeat('\0', 1);
    add_stack_of(story, run, event, true, title.view().data());
    story.add_event(next);
  }
  if (running == 0) return false;
  put_semaphore_note(story.what, run);
  story.what.add("%u %s, and no other thread can change what %s for:\n", running,
                 running == 1 ? "thread spins" : "threads spin", running == 1 ? "it waits" : "they wait");
  story.what.put(list.view());
  put_also_blocked(story.what, run, [](uint32_t) { return false; });
  return true;
}

}  // namespace

bool find_livelock(const RunSummary& run, Story& story) {
  if (!is_reported(FindingType::livelock) || run.thread_count == 0 || main_has_ended(run)) return false;
  if (!tell_spinning(run, story, FindingType::livelock)) return false;
  add_last_races(story, run);
  story.what.put("\n");
  return true;
}

bool find_endless_threads(const RunSummary& run, Story& story) {
  if (!is_reported(FindingType::endless_threads) || (run.flags & kRunEndless) == 0) return false;
  if (!tell_spinning(run, story, FindingType::endless_threads)) return false;
  story.what.put("Main has ended, and these threads never end. If this is intended (threads that spin for work), use\n"
                 "HEDDLE_OPTIONS=report_endless=0, or the suppression 'endless-threads:FUNCTION'.\n\n");
  return true;
}

const Observer kLivelock = end_observer("livelock", [](RunSummary& run) { look_for(find_livelock, run); });
const Observer kEndlessThreads = end_observer("endless threads", [](RunSummary& run) { look_for(find_endless_threads, run); });

}  // namespace heddle::rt
