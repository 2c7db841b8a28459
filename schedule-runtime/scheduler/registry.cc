// The list of strategies, and how the default draws among them.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constexpr const Strategy* kStrategies[] = {&kRoundRobin, &kRandomWalk, &kSticky, &kPct, &kPos, &kSurw, &kWritesFirst, &kNonpreemptive, &kTurns,
                                           &kPlaces};

// The strategies that `automatic` draws from; each entry is an equal share. Run to block is one schedule for all seeds, so its share is
// small.
constexpr const Strategy* kDrawn[] = {&kRandomWalk, &kRandomWalk, &kRandomWalk, &kSticky, &kSticky, &kSticky,
                                      &kPct,        &kPct,        &kPct,        &kPos,    &kPos,    &kPos,
                                      &kSurw,       &kSurw,       &kSurw,       &kRoundRobin};

constexpr uint64_t kDrawSubject = 0xA070;
constexpr uint64_t kCreatorsSubject = 0x6A7433;

}  // namespace

std::span<const Strategy* const> strategies() { return kStrategies; }

uint32_t share_of(const Strategy& strategy) {
  static_assert(sizeof kDrawn / sizeof *kDrawn == 16);
  uint32_t share = 0;
  for (const Strategy* drawn : kDrawn) share += drawn == &strategy;
  return share;
}

const Strategy* find_strategy(StrategyId id) {
  for (const Strategy* s : kStrategies) {
    if (s->id == id) return s;
  }
  return nullptr;
}

const Strategy& strategy_for(const ScheduleView& schedule) {
  if (const Strategy* s = find_strategy(schedule.strategy)) return *s;
  return *kDrawn[mix(schedule.seed, kDrawSubject) % (sizeof kDrawn / sizeof *kDrawn)];
}

// With every strategy, early threads tend to run ahead of threads that are created later. So an order in which the last thread goes first
// is many times rarer than its reverse. Therefore in half of all runs all threads are created first.
bool creators_first(const ScheduleView& schedule) {
  return find_strategy(schedule.strategy) == nullptr && (mix(schedule.seed, kCreatorsSubject) & 1) != 0;
}

}  // namespace heddle::rt
