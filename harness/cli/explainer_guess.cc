// A guess is tried: runs that demand it, runs that demand the opposite, and runs without what has always held.
#include <algorithm>
#include <utility>

#include "harness/cli/explainer.h"

namespace heddle::cli {
namespace {

bool is_open(const Condition& condition) {
  const Order* const order = std::get_if<Order>(&condition);
  return order != nullptr && (order->first.thread == kAnyThread || order->second.thread == kAnyThread);
}

}  // namespace

// Some runs that demand the conditions, and some that demand the opposite of each. True: one of
// them does not agree, and is a sample now.
bool Explainer::contradicted(const std::vector<size_t>& guess, size_t runs) {
  const std::vector<Condition> all = conditions_of(guess);
  bool necessary = true;
  for (const Sample& sample : samples_)
    necessary = necessary && (!sample.index.found() || sample.index.holds(all));
  const auto contradicts = [&] {
    const RunIndex& last = samples_.back().index;
    return last.found() ? necessary && !last.holds(all) : last.holds(all);
  };
  for (size_t n = 0; n < runs && !over(); ++n) {
    Schedule demanding = random_schedule();
    demand(all, demanding);
    if (run(demanding) && contradicts()) return true;
    for (size_t i = 0; i < all.size(); ++i) {
      Schedule alone = random_schedule(), among_others = random_schedule();
      for (size_t other = 0; other < all.size(); ++other) {
        if (other != i) demand(all[other], among_others);
      }
      if (demand_opposite(all[i], alone) && run(alone) && contradicts()) return true;
      if (demand_opposite(all[i], among_others) && run(among_others) && contradicts()) return true;
    }
  }
  return false;
}

// What has held in each run is in no guess, though the finding may need it: perhaps nobody has demanded
// the opposite. True: that was demanded, the guess held, and the finding did not come.
bool Explainer::needs_more(const std::vector<size_t>& guess) {
  constexpr size_t kMost = 60;
  const std::vector<Condition> all = conditions_of(guess);
  std::vector<size_t> always = search_.in_all_runs();
  // Those with any thread first: where many threads do the same, the order with one of them is seldom needed.
  const auto key = [&](size_t i) { return std::pair(!is_open(candidates_[i]), i); };
  std::sort(always.begin(), always.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  for (const size_t more : always) {
    if (is_late() || opposed_.size() == kMost) break;
    const bool is_choice = std::holds_alternative<SelectPreference>(candidates_[more]);  // the usual outcome is no news
    if (is_choice || !opposed_.insert(more).second) continue;
    Schedule otherwise = random_schedule();
    demand(all, otherwise);
    if (!demand_opposite(candidates_[more], otherwise) || !run(otherwise)) continue;
    const RunIndex& last = samples_.back().index;
    if (last.found() || !last.holds(all)) continue;
    needed_ = guess;
    needed_.insert(std::upper_bound(needed_.begin(), needed_.end(), more), more);
    for (const size_t part : guess) {  // that follows from the new one
      std::vector<size_t> fewer = needed_;
      std::erase(fewer, part);
      if (search_.findings_with(fewer) >= search_.findings_with(needed_)) needed_ = fewer;
    }
    return true;
  }
  return false;
}

// The smallest set; or one that is no larger, and of which it is known that it needs a condition that is easily missed.
std::optional<std::vector<size_t>> Explainer::next_guess() const {
  const auto best = search_.best();
  if (!best || needed_.empty() || needed_.size() > best->size()) return best;
  return search_.findings_with(needed_) >= search_.findings_with(*best) ? needed_ : best;
}

}  // namespace heddle::cli
