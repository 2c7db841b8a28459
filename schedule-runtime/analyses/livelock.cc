// The run ended although threads could go on and main had not ended: the engine saw only spinning, and nobody who learnt anything new.
// (A run that reaches the step bound is no finding: it may just be long.)
#include "analyses/analyses.h"
#include "analyses/end_findings.h"
#include "base/options.h"

namespace heddle::rt {

bool find_livelock(const RunSummary& run, Story& story) {
  if (!options().report_livelock || run.thread_count == 0) return false;
  if (static_cast<ThreadEnd>(run.threads[0].state) == ThreadEnd::finished) return false;
  uint32_t running = 0;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    if (!is_alive(run.threads[t])) continue;
    const uint32_t event = waiting_event(run, t);
    if (event == kNoEvent) continue;
    if (running++ == 0) story.begin(FindingType::livelock, run.events[event].object);
    static constinit Text title;
    title.clear();
    put_thread(title, run, t);
    title.put(" goes round here");
    title.repeat('\0', 1);
    add_event_stack(story, run, event, true, title.view().data());
  }
  if (running == 0) return false;
  story.what.add("%u %s running, and no other thread can change what %s for:\n", running,
                 running == 1 ? "thread keeps" : "threads keep", running == 1 ? "it waits" : "they wait");
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint32_t event = is_blocked(run.threads[t]) ? waiting_event(run, t) : kNoEvent;
    if (event == kNoEvent) continue;
    story.what.put("  ");
    put_wait(story.what, run, event);
    story.what.put("\n");
  }
  story.what.put("\n");
  return true;
}

const Observer kLivelock = {"livelock", [](RunSummary& run) { look_for(find_livelock, run); }};

}  // namespace heddle::rt
