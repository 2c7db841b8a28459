#include "mutator/modes/gfuzz.h"

#include <algorithm>

namespace heddle::mutator {

void Gfuzz::learn(const KnownRun& run, const Schedule& schedule, bool own) {
  if (run.channels.empty()) return;
  const ChoicePoints points(run.relations());
  if (own) queue_.note_missed(points, schedule);
  if ((run.flags & kRunStepBound) != 0) return;  // a run that was cut off has no children
  const Verdict v = interest_.learn(points.partners().ops());
  best_ = std::max(best_, v.score);
  if (v.interesting) queue_.add(schedule, recorded_order(points, Choices::selects), gfuzz_children(v.score, best_));
}

Schedule Gfuzz::next(const Schedule& parent, Rng& rng) {
  GfuzzQueue::Entry* entry = queue_.front();
  Schedule child = entry != nullptr ? entry->schedule : parent;
  if (entry == nullptr || entry->again) {
    child.seed = rng.next();
  } else {
    std::vector<int32_t> choices;
    bool changed = false;
    for (const OrderTuple& tuple : entry->order) {
      choices.push_back(tuple.candidates[rng.below(static_cast<uint32_t>(tuple.candidates.size()))].choice);
      changed |= choices.back() != tuple.select.choice;
    }
    prescribe(child, entry->order, choices);
    // The same order with the same seed is the same run. So a repetition gets another seed. On real threads, a repetition would differ,
    // too.
    if (queue_.times_made(order_key(entry->order, choices)) != 0 || !changed) child.seed = rng.next();
  }
  if (entry != nullptr) queue_.count_child();
  return child;
}

}  // namespace heddle::mutator
