#include "mutator/modes/rare_states.h"

#include <iterator>

namespace heddle::mutator {
namespace {

// What comes after the return.
constexpr StrategyId kWays[] = {StrategyId::random_walk, StrategyId::sticky, StrategyId::pos};

}  // namespace

Schedule RareStates::next(const Schedule& parent, Rng& rng) {
  Schedule child = idle() ? without_order(parent) : book_.return_to_rare(rng);
  child.seed = rng.next();
  child.strategy = kWays[turn_++ % std::size(kWays)];
  return child;
}

}  // namespace heddle::mutator
