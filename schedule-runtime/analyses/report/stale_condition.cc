#include "analyses/report/stale_condition.h"

#include "analyses/report/memory_steps.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/step_row.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kReach = 4096;  // steps before the end

// The notifier's change of what this step read. kNoStep: none before the notification, or the thread has looked again before it began to wait.
uint32_t unseen_change(const MemorySteps& steps, uint32_t read, const Event& wait, uint32_t wait_began, uint32_t notification, uint32_t notifier) {
  const MemoryStep& s = steps[read];
  if (s.thread != wait.thread || s.before > wait_began || !s.reads || s.writes || s.inside) return kNoStep;
  const uint32_t change = steps.overwritten(read);
  if (change == kNoStep || steps[change].inside || steps[change].thread != notifier || steps[change].before > notification) return kNoStep;
  const uint32_t again = steps.own_after(read);
  return again != kNoStep && steps[again].before <= wait_began ? kNoStep : change;
}

}  // namespace

bool add_stale_condition(Story& story, const RunSummary& run, uint32_t wait_began, uint32_t notification, const char* indent) {
  const Event& wait = run.events[wait_began];
  const uint32_t notifier = run.events[notification].thread;
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const uint32_t change = unseen_change(steps, i, wait, wait_began, notification, notifier);
    if (change == kNoStep) continue;
    const std::string_view name = name_of_step(story, run, steps[i]);
    if (name.empty()) continue;
    Text& what = story.what;
    what.put(indent);
    put_thread(what, run, wait.thread);
    what.put(" read ");
    what.put(name);
    what.put(" at ");
    put_place(what, steps.place(i));
    what.put(" before ");
    put_thread(what, run, notifier);
    what.put(" changed it at ");
    put_place(what, steps.place(change));
    what.put(", and did not read it again.\n");
    add_step(story, run, steps, i);
    add_step(story, run, steps, change);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
