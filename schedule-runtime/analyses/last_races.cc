#include "analyses/last_races.h"

#include "analyses/race_list.h"
#include "analyses/report/memory_steps.h"
#include "analyses/report/positions.h"
#include "analyses/report/step_row.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kPairs = 2;

uintptr_t pc_of(const RunSummary& run, const MemoryStep& s) { return sites()[s.event != kNoEvent ? run.events[s.event].pc_index : s.access->site].pc; }

// The thread's last step there before `end`; kNoStep: none.
uint32_t last_step(const MemorySteps& steps, const RunSummary& run, uint32_t end, uint32_t thread, uintptr_t pc) {
  for (uint32_t i = end; i-- > 0;) {
    if (steps[i].thread == thread && pc_of(run, steps[i]) == pc) return i;
  }
  return kNoStep;
}

bool of_program(const RacesSeen::Pair& pair) {
  return has_users_code(sites().index_of(pair.first_pc)) && has_users_code(sites().index_of(pair.second_pc));
}

}  // namespace

bool add_last_races(Story& story, const RunSummary& run, const FailingMoment& at) {
  const RacesSeen* const races = races_of_execution();
  if (races == nullptr) return false;
  const MemorySteps steps(run, at.events, at.accesses, at.ended);
  uint32_t found = 0;
  for (uint32_t i = races->count; i-- > 0 && found < kPairs;) {
    const RacesSeen::Pair& pair = races->pairs[i];
    if (!of_program(pair)) continue;
    const uint32_t second = last_step(steps, run, steps.end(), pair.second_thread, pair.second_pc);
    const uint32_t first = last_step(steps, run, second != kNoStep ? second : steps.end(), pair.first_thread, pair.first_pc);
    for (const uint32_t step : {first, second}) {
      if (step != kNoStep) add_step(story, run, steps, step);
    }
    found += first != kNoStep || second != kNoStep;
  }
  return found != 0;
}

bool add_last_races(Story& story, const RunSummary& run) {
  return add_last_races(story, run, {.thread = kNoEvent, .position = 0, .context = 0, .events = run.event_count, .accesses = access_log().total(), .ended = true});
}

}  // namespace heddle::rt
