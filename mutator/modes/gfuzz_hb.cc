#include "mutator/modes/gfuzz_hb.h"

#include <algorithm>
#include <cmath>

namespace heddle::mutator {

namespace {
bool changes(const SelectOrder& order, const std::vector<int32_t>& choices) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (choices[i] != order[i].select.choice) return true;
  }
  return false;
}
}  // namespace

double flip_probability(size_t selects) {
  return selects == 0 ? 0 : std::max(0.1, 1 - std::pow(0.01, 1 / static_cast<double>(selects)));
}

std::vector<int32_t> flip_some(const SelectOrder& order, Rng& rng) {
  constexpr double kScale = 1 << 30;
  const auto share = static_cast<uint32_t>(flip_probability(order.size()) * kScale);
  std::vector<int32_t> choices;
  bool flipped = false;
  for (const OrderTuple& tuple : order) {
    int32_t choice = tuple.select.choice;
    if (rng.chance(share, static_cast<uint32_t>(kScale))) {
      choice = draw_other(tuple.candidates, choice, !flipped, rng);
      flipped = true;
    }
    choices.push_back(choice);
  }
  return choices;
}

void GfuzzHb::learn(const KnownRun& run, const Schedule& schedule, bool own) {
  const ChoicePoints points(run.relations());
  if (own) queue_.note_missed(points, schedule);
  if ((run.flags & kRunStepBound) != 0) return;
  SelectOrder order = recorded_order(points, Choices::all);
  const Verdict v = interest_.learn(points.partners().ops(), order);
  best_ = std::max(best_, v.score);
  if (v.interesting) queue_.add(schedule, std::move(order), gfuzz_children(v.score, best_));
}

bool GfuzzHb::mutate(GfuzzQueue::Entry& entry, Schedule& child, Rng& rng) {
  for (uint32_t skipped = 0; skipped <= entry.deserved; ++skipped) {
    const std::vector<int32_t> choices = flip_some(entry.order, rng);
    if (!changes(entry.order, choices)) continue;
    const uint32_t times = queue_.times_made(order_key(entry.order, choices));
    if (times >= kMaxRuns) continue;
    child = entry.schedule;
    prescribe(child, entry.order, choices);
    if (times != 0) child.seed = rng.next();
    return true;
  }
  return false;
}

Schedule GfuzzHb::next(const Schedule& parent, Rng& rng) {
  Schedule child;
  while (GfuzzQueue::Entry* entry = queue_.front()) {
    if (entry->again) {
      child = entry->schedule;
      child.seed = rng.next();
    } else if (!mutate(*entry, child, rng)) {
      queue_.give_up();
      continue;
    }
    queue_.count_child();
    return child;
  }
  child = parent;
  child.seed = rng.next();
  return child;
}

}  // namespace heddle::mutator
