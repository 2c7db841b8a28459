// Makes racing accesses choice points: always both sides of a pair (an atomic side already is a choice point), half of the time all pairs
// that fit.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool visible_plain_add(Context& c) {
  if (c.races.empty()) return false;
  auto& sites = c.schedule.visible_plain;
  bool changed = false;
  const auto add = [&](const RacingPair& race) {
    if (sites.size() + 2 > kMaxVisiblePlain) return;
    changed |= make_visible(c.schedule, race);
  };
  if (c.rng.chance(1, 2)) {
    for (const RacingPair& race : c.races) add(race);
  } else {
    const uint32_t pairs = 1 + c.rng.below(3);
    for (uint32_t i = 0; i < pairs; ++i) add(c.races[c.rng.below(static_cast<uint32_t>(c.races.size()))]);
  }
  return changed;
}

}  // namespace heddle::mutator
