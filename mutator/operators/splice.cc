// Two parents. Chains are merged if they share an element; else both are kept. Constraints are mixed.
#include <algorithm>

#include "mutator/operators/chain.h"
#include "mutator/operators/rf_list.h"

namespace heddle::mutator {

void splice(Context& c, const Schedule& other) {
  Schedule& s = c.schedule;
  const int theirs = pick_chain(other, 1, c.rng);
  if (theirs >= 0) {
    const Chain b = get_chain(other, theirs);
    const int ours = pick_chain(c, 1);
    bool merged = false;
    if (ours >= 0) {
      const Chain a = get_chain(s, ours);
      for (size_t i = 0; i < a.size() && !merged; ++i) {
        for (size_t j = 0; j < b.size() && !merged; ++j) {
          if (!same_op(a[i], b[j])) continue;
          Chain chain(a.begin(), a.begin() + static_cast<long>(i) + 1);
          chain.insert(chain.end(), b.begin() + static_cast<long>(j) + 1, b.end());
          if (chain.size() < 2 || chain.size() > c.options.max_chain || !valid_chain(c.run, chain)) continue;
          merged = put_chain(s, ours, chain);
        }
      }
    }
    if (!merged) add_chain(c, b);
  }
  for (const ReadsFrom& r : other.reads_from) {
    if (s.reads_from.size() < kMaxConstraints && c.rng.chance(1, 2) && !names_pair(s.reads_from, r)) s.reads_from.push_back(r);
  }
  // The first preference that matches decides. A second one for the same choice would have no effect, but children would inherit it. And a
  // preference of only one parent is kept with probability 1/2. Otherwise preferences would accumulate and soon be those of the whole
  // corpus, useful or not.
  const auto prefers = [](const std::vector<SelectPreference>& list, const SelectPreference& p) {
    return std::any_of(list.begin(), list.end(), [&p](const SelectPreference& q) { return same_passage(q, p); });
  };
  std::erase_if(s.selects, [&](const SelectPreference& p) { return !prefers(other.selects, p) && c.rng.chance(1, 2); });
  for (const SelectPreference& p : other.selects) {
    if (s.selects.size() < kMaxPreferences && !prefers(s.selects, p) && c.rng.chance(1, 2)) s.selects.push_back(p);
  }
  for (const Delay& d : other.delays) {
    const bool there = std::any_of(s.delays.begin(), s.delays.end(),
                                   [&d](const Delay& ours) { return same_delay(ours, d); });
    if (s.delays.size() < 10 && c.rng.chance(1, 2) && !there) s.delays.push_back(d);
  }
  for (SiteId site : other.visible_plain) make_visible(s, site);
  if (c.rng.chance(1, 2)) s.payload = other.payload;
  if (c.rng.chance(1, 2)) {
    s.strategy = other.strategy;
    s.pct_depth = other.pct_depth;
    s.stickiness = other.stickiness;
    s.step_estimate = other.step_estimate;
    s.surw_site = other.surw_site;
    s.weights = other.weights;
  }
}

}  // namespace heddle::mutator
