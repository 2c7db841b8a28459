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
extern const Strategy kWritesFirst;
extern const Strategy kNonpreemptive;
extern const Strategy kTurns;
extern const Strategy kPlaces;

}  // namespace heddle::rt
