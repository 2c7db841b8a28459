// The strategies, for registry.cc.
#pragma once

#include "scheduler/strategy.h"

namespace heddle::rt {

extern const Strategy kRoundRobin;
extern const Strategy kRandomWalk;
extern const Strategy kSticky;
extern const Strategy kPct;
extern const Strategy kPos;
extern const Strategy kSurw;

// One uniform draw; other strategies fall back on it.
uint32_t pick_random(Pending* const* candidates, uint32_t count, const ChoiceContext& context);

}  // namespace heddle::rt
