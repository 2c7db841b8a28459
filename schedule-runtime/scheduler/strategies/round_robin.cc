// Run to block, then the next thread in order of creation. This schedule is closest to a program on one core without preemption. It does
// not depend on the seed.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

uint32_t pick_in_turn(const ChoiceContext& context) {
  const auto threads = static_cast<uint32_t>(context.slots.size());
  uint32_t next = context.last_thread;
  while (context.slots[next] < 0) next = next + 1 < threads ? next + 1 : 0;
  return static_cast<uint32_t>(context.slots[next]);
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  if (!context.slots.empty()) return pick_in_turn(context);
  uint32_t first = 0;               // lowest index of all
  uint32_t next = count;            // lowest index above the last thread
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t thread = candidates[i]->thread_index;
    if (thread == context.last_thread) return i;
    if (thread < candidates[first]->thread_index) first = i;
    if (thread > context.last_thread &&
        (next == count || thread < candidates[next]->thread_index)) {
      next = i;
    }
  }
  return next != count ? next : first;
}

}  // namespace

constinit const Strategy kRoundRobin = {
    StrategyId::round_robin, "round_robin",
    "A thread runs until it blocks; then the next one in order of creation. The seed has no part in it.",
    [](const ScheduleView&) {}, nullptr, nullptr, pick};

// engine/decisions.cc and choose_source.cc take the first outcome.
constinit const Strategy kNonpreemptive = {
    StrategyId::nonpreemptive, "nonpreemptive",
    "As `round_robin`, and every choice has its usual outcome: no wait wakes early, the first ready case is taken, a load sees the latest store. What heddle minimize writes.",
    [](const ScheduleView&) {}, nullptr, nullptr, pick};

}  // namespace heddle::rt
