#include "analyses/report/last_word.h"

#include "analyses/report/memory_steps.h"
#include "analyses/report/step_row.h"
#include "races/access_log.h"

namespace heddle::rt {
namespace {

bool in_block(const Story& story, const MemoryStep& s) { return s.begin - story.block.begin < story.block.size; }

// The taker's last read, or its last read-modify-write, of what the user had written, or wrote only afterwards. False: there is none.
bool add_word_of_taker(Story& story, const RunSummary& run, const MemorySteps& steps, uint32_t taker, uint32_t user, uint32_t events, bool counts) {
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const MemoryStep& s = steps[i];
    if (s.thread != taker || s.before > events || !s.reads || s.writes != counts || s.inside) continue;
    const uint32_t source = steps.source(i), later = steps.overwritten(i);
    const bool learned = !counts && source != kNoStep && steps[source].thread == user && !steps[source].inside && !steps.before_birth(i, source);
    const bool too_early = later != kNoStep && steps[later].thread == user && !steps[later].inside && (!in_block(story, s) || steps[later].before < events);
    if (!learned && !too_early) continue;
    if (learned) add_step(story, run, steps, source, nullptr);
    add_step(story, run, steps, i, nullptr);
    if (!learned) add_step(story, run, steps, later, nullptr);
    return true;
  }
  return false;
}

// The user's last look at what the taker changed after it, before it took the memory away.
void add_outdated_look_of_user(Story& story, const RunSummary& run, const MemorySteps& steps, uint32_t taker, uint32_t user, uint32_t events) {
  const uint32_t end = steps.end(), begin = end > kReach ? end - kReach : 0;
  for (uint32_t i = end; i-- > begin;) {
    const MemoryStep& s = steps[i];
    if (s.thread != user || s.writes || !steps.may_decide(i) || in_block(story, s)) continue;
    const uint32_t change = steps.overwritten(i), again = steps.own_after(i);
    if (change == kNoStep || steps[change].thread != taker || steps[change].inside || steps[change].before > events) continue;
    if (again != kNoStep && (again < change || !steps[again].writes)) continue;  // it has looked again
    if (steps[change].access != nullptr && (steps[change].begin != s.begin || steps[change].end != s.end)) continue;  // perhaps the free of a block
    add_step(story, run, steps, i, nullptr);
    add_step(story, run, steps, change, nullptr);
    return;
  }
}

}  // namespace

void add_last_word(Story& story, const RunSummary& run, uint32_t taker, uint32_t user, uint32_t events) {
  if (taker == user) return;
  const MemorySteps steps(run, run.event_count, access_log().total());
  // A read-modify-write counts something, more often than it asks.
  if (!add_word_of_taker(story, run, steps, taker, user, events, false)) add_word_of_taker(story, run, steps, taker, user, events, true);
  add_outdated_look_of_user(story, run, steps, taker, user, events);
}

}  // namespace heddle::rt
