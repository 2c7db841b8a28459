// Changes the outcome of a decision of the select kind: which case a select takes, which waiter a signal wakes, an early time-out, a
// spurious wake-up, a failed try. 0 is the normal outcome.
#include <algorithm>

#include "mutator/knowledge/choice_points.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {

// Each pair of site and kind is equally likely. Otherwise a loop that sleeps would hide a single select.
uint32_t draw_choice(const ChoicePoints& points, const Relations& run, Rng& rng) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < run.run().events.size(); ++i) {
    if (points.is_choice(i)) found.push_back(i);
  }
  if (found.empty()) return kNone;
  const auto less = [&](uint32_t a, uint32_t b) {
    const Event &x = run.event(a), &y = run.event(b);
    return x.site != y.site ? x.site < y.site : x.kind < y.kind;
  };
  std::sort(found.begin(), found.end(), [&](uint32_t a, uint32_t b) { return less(a, b) || (!less(b, a) && a < b); });
  std::vector<uint32_t> first;  // of each group
  for (uint32_t i = 0; i < found.size(); ++i) {
    if (i == 0 || less(found[i - 1], found[i])) first.push_back(i);
  }
  const uint32_t group = rng.below(static_cast<uint32_t>(first.size()));
  const auto end = group + 1 < first.size() ? first[group + 1] : static_cast<uint32_t>(found.size());
  return found[first[group] + rng.below(end - first[group])];
}

}  // namespace

bool select_flip(Context& c) {
  auto& list = c.schedule.selects;
  if (!list.empty() && c.rng.chance(1, 4)) {
    list.erase(list.begin() + c.rng.below(static_cast<uint32_t>(list.size())));
    return true;
  }
  if (!c.run || list.size() >= kMaxPreferences) return false;
  const ChoicePoints points(*c.run);
  const uint32_t event = draw_choice(points, *c.run, c.rng);
  if (event == kNone) return false;
  std::vector<Candidate> candidates;
  points.candidates(event, candidates);
  // Partners are those of the recorded run. If this schedule has already left that run (by an earlier flip), they are a guess.
  SelectPreference p = points.preference(event, draw_other(candidates, points.taken(event), true, c.rng));
  if (c.rng.chance(1, 2)) p.thread = kAnyThread;
  if (c.rng.chance(1, 4)) p.instance = 0;
  // The first preference that matches decides. At the end of the list, a wider or narrower one of the parent would override it.
  const auto same = std::find_if(list.begin(), list.end(), [&p](const SelectPreference& old) { return same_passage(old, p); });
  if (same != list.end()) {
    if (same == list.begin() && same->choice == p.choice) return false;
    list.erase(same);
  }
  list.insert(list.begin(), p);
  return true;
}

}  // namespace heddle::mutator
