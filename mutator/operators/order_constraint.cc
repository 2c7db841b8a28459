// "Some operation of this site before some operation of that site": an open chain of two, between the sides of a race or between
// conflicting operations of the run.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool order_constraint(Context& c) {
  Chain chain;
  if (!c.races.empty() && (!c.run || c.rng.chance(2, 3))) {
    const RacingPair& race = c.races[c.rng.below(static_cast<uint32_t>(c.races.size()))];
    Element a{}, b{};
    a.site = race.first;
    a.kind = first_kind(race);
    b.site = race.second;
    b.kind = second_kind(race);
    if (same_op(a, b)) return false;
    chain = {a, b};
  } else {
    if (!c.run || c.run->shared().empty()) return false;
    const uint32_t a = c.run->draw_shared(c.rng);
    const uint32_t b = c.run->partner(a, c.rng);
    if (b == kNone || !conflicting(c.run->event(a).kind, c.run->event(b).kind)) return false;
    chain = {c.run->open(a), c.run->open(b)};
    if (same_op(chain[0], chain[1])) return false;
  }
  if (c.rng.chance(1, 2)) std::swap(chain[0], chain[1]);
  return add_chain(c, chain);
}

}  // namespace heddle::mutator
