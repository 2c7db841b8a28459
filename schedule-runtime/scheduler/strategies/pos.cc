// POS, partial order sampling (Yuan et al., CAV 2018): each pending op has a random priority, and the highest runs. Ops that conflict with the
// executed op get a new priority = hash(seed, op, number of redraws of this op) (docs/design/strategies.md#pos).
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constinit uint64_t g_seed = 0;

void draw(Pending& op) { op.priority = mix(mix(g_seed, op.identity), op.redraws); }

void begin(const ScheduleView& schedule) { g_seed = schedule.seed; }

void executed(const Pending& op, Pending* const* others, uint32_t count) {
  if (op.object_index == 0) return;
  for (uint32_t i = 0; i < count; ++i) {
    Pending& other = *others[i];
    if (other.thread_index == op.thread_index || !other.conflicts_with(op)) continue;
    ++other.redraws;
    draw(other);
  }
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext&) {
  return pick_largest(candidates, count, [](const Pending& p) { return p.priority; });
}

}  // namespace

constinit const Strategy kPos = {
    StrategyId::pos, "pos",
    "Each pending operation has a random priority. It is drawn again when a conflicting operation has run.",
    begin, draw, executed, pick};

}  // namespace heddle::rt
