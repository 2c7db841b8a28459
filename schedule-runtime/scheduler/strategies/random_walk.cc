// Random walk: every enabled thread is equally likely at every choice (docs/design/strategies.md#random-walk).
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {

constinit const Strategy kRandomWalk = {
    StrategyId::random_walk, "random_walk",
    "At each choice every thread is equally likely.",
    [](const ScheduleView&) {}, nullptr, nullptr, pick_evenly};

}  // namespace heddle::rt
