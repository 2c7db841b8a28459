#include "analyses/report/last_word.h"

#include "analyses/report/memory_steps.h"
#include "analyses/report/step_row.h"
#include "races/access_log.h"

namespace heddle::rt {
namespace {

bool in_block(const Story& story, const MemoryStep& s) { return s.begin - story.block.begin < story.block.size; }

}  // namespace

void add_last_word(Story& story, const RunSummary& run, uint32_t taker, uint32_t user, uint32_t events) {
  if (taker == user) return;
  const MemorySteps steps(run, run.event_count, access_log().total());
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const MemoryStep& s = steps[i];
    // A read-modify-write counts something, more often than it asks.
    if (s.thread != taker || s.before > events || !s.reads || s.writes || s.inside) continue;
    const uint32_t source = steps.source(i), later = steps.overwritten(i);
    const bool learned = source != kNoStep && steps[source].thread == user && !steps[source].inside;
    const bool too_early = later != kNoStep && steps[later].thread == user && !steps[later].inside && !in_block(story, s);
    if (!learned && !too_early) continue;
    if (learned) add_step(story, run, steps, source, nullptr);
    add_step(story, run, steps, i, nullptr);
    if (!learned) add_step(story, run, steps, later, nullptr);
    return;
  }
}

}  // namespace heddle::rt
