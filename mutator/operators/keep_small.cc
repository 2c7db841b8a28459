#include <algorithm>

#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

template <typename T>
void thin_out(std::vector<T>& items, size_t limit, Rng& rng) {
  while (items.size() > limit) items.erase(items.begin() + rng.below(static_cast<uint32_t>(items.size())));
}

size_t count_chains(const Schedule& s) {
  if (s.elements.size() <= 1) return s.elements.size();
  bool used[kMaxChains] = {};
  for (const Element& e : s.elements) used[e.chain % kMaxChains] = true;
  return static_cast<size_t>(std::count(std::begin(used), std::end(used), true));
}

}  // namespace

void keep_small(Context& c, const Schedule& parent) {
  Schedule& s = c.schedule;
  const Options& o = c.options;
  thin_out(s.reads_from, std::max<size_t>(o.max_constraints, parent.reads_from.size()), c.rng);
  thin_out(s.selects, std::max<size_t>(o.max_preferences, parent.selects.size()), c.rng);
  thin_out(s.delays, std::max<size_t>(o.max_delays, parent.delays.size()), c.rng);
  const size_t chains = std::max<size_t>(o.max_chains, count_chains(parent));
  while (count_chains(s) > chains) {
    const uint8_t victim = s.elements[c.rng.below(static_cast<uint32_t>(s.elements.size()))].chain;
    std::erase_if(s.elements, [victim](const Element& e) { return e.chain == victim; });
  }
}

}  // namespace heddle::mutator
