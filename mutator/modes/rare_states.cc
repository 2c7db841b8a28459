#include "mutator/modes/rare_states.h"

#include <iterator>

#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

// What comes after the return.
constexpr StrategyId kWays[] = {StrategyId::random_walk, StrategyId::sticky, StrategyId::pos};

}  // namespace

void RareStates::learn(const KnownRun& run, const Schedule& schedule, bool) {
  for (const RacingPair& race : run.races) races_.add(race);
  book_.learn(run, schedule);
}

Schedule RareStates::next(const Schedule& parent, Rng& rng) {
  Schedule child = book_.exhausted() ? without_order(parent) : book_.return_to_rare(rng);
  child.seed = rng.next();
  child.strategy = kWays[turn_++ % std::size(kWays)];
  for (const RacingPair& race : races_.pairs()) make_visible(child, race);
  make_constraints_visible(child);
  return child;
}

}  // namespace heddle::mutator
