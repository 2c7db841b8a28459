// A new chain: a Rel2 pair in a random order, or one of the special patterns of known bugs (docs/design/gopie.md#special-chains).
#include "mutator/knowledge/special_order.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {

bool lock_cycle(Context& c) {
  const auto& cycles = c.run->lock_cycles();
  if (cycles.empty()) return false;
  const std::vector<uint32_t>& cycle = cycles[c.rng.below(static_cast<uint32_t>(cycles.size()))];
  Chain chain;
  for (uint32_t e : cycle) chain.push_back(c.run->exact(e));
  return valid_order(*c.run, cycle) && add_chain(c, chain);
}

}  // namespace

bool start_chain(Context& c) {
  if (!c.run || c.run->shared().empty()) return false;
  if (c.rng.chance(1, 3) && lock_cycle(c)) return true;
  // Of three draws, the pair of sites that was tried least.
  uint32_t best_a = kNone, best_b = kNone, best = 1000;
  for (int draw = 0; draw < 3; ++draw) {
    uint32_t a = c.run->draw_shared(c.rng);
    uint32_t b = c.run->partner(a, c.rng);
    if (b == kNone) continue;
    const Event &x = c.run->event(a), &y = c.run->event(b);
    const bool keep = special_order(x, y) || (!special_order(y, x) && c.rng.chance(1, 2));
    if (!keep) std::swap(a, b);
    if (c.run->must_precede(b, a)) {
      if (c.run->must_precede(a, b)) continue;
      std::swap(a, b);
    }
    uint32_t tried = c.seen.count(SeenCounts::pair_key(c.run->event(a).site, c.run->event(b).site));
    if (special_order(c.run->event(a), c.run->event(b))) tried /= 2;
    if (!c.run->event(a).finished() || !c.run->event(b).finished()) tried /= 2;
    if (tried < best) best = tried, best_a = a, best_b = b;
  }
  if (best_a == kNone) return false;
  c.seen.add(SeenCounts::pair_key(c.run->event(best_a).site, c.run->event(best_b).site));
  return add_chain(c, {c.run->exact(best_a), c.run->exact(best_b)});
}

}  // namespace heddle::mutator
