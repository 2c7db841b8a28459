// Random walk: every enabled thread is equally likely at every choice (RUNTIME.md 2).
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {

uint32_t pick_random(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  const uint64_t base = context.point.base();
  return pick_largest(candidates, count, [base](const Pending& p) { return mix(base, p.identity); });
}

constinit const Strategy kRandomWalk = {
    StrategyId::random_walk, "random_walk", [](const ScheduleView&) {}, nullptr, nullptr, pick_random};

}  // namespace heddle::rt
