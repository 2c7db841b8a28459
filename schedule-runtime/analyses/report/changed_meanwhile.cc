#include "analyses/report/changed_meanwhile.h"

#include "analyses/report/memory_steps.h"
#include "analyses/report/positions.h"
#include "analyses/report/step_row.h"

namespace heddle::rt {
namespace {

// Who looks again at the same place waits for the change.
bool waits_for_it(const MemorySteps& steps, uint32_t read, uint32_t again) {
  return again != kNoStep && on_one_line(user_frame(steps.place(read)), user_frame(steps.place(again)));
}

}  // namespace

bool add_changed_meanwhile(Story& story, const RunSummary& run, const FailingMoment& at) {
  const MemorySteps steps(run, at.events, at.accesses);
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const MemoryStep& s = steps[i];
    if (!s.reads || s.writes || s.inside) continue;
    const uint32_t change = steps.overwritten(i);
    if (change >= end || steps[change].inside) continue;
    const uint32_t again = steps.own_after(i);
    if (again < change || waits_for_it(steps, i, again)) continue;
    const uint32_t source = steps.source(i);
    if (source != kNoStep && !steps[source].same_actor(s)) add_step(story, run, steps, source, nullptr);
    add_step(story, run, steps, i, nullptr);
    add_step(story, run, steps, change, nullptr);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
