// Removes choice points: few are better than many (docs/design/strategies.md#what-the-field-has-learned). Sometimes only one pair is left.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool visible_plain_remove(Context& c) {
  auto& sites = c.schedule.visible_plain;
  if (sites.empty()) return false;
  if (!c.races.empty() && sites.size() > 2 && c.rng.chance(1, 3)) {
    const RacingPair& race = c.races[c.rng.below(static_cast<uint32_t>(c.races.size()))];
    const std::vector<SiteId> before = sites;
    sites.clear();
    make_visible(c.schedule, race);
    return sites != before;
  }
  sites.erase(sites.begin() + c.rng.below(static_cast<uint32_t>(sites.size())));
  return true;
}

}  // namespace heddle::mutator
