#include "mutator/modes/new_orders.h"

#include <algorithm>
#include <utility>

#include "mutator/modes/continuation.h"
#include "mutator/operators/chain.h"
#include "mutator/orders/order_children.h"

namespace heddle::mutator {

bool NewOrders::shows_races(const Schedule& schedule) const {
  Schedule all = schedule;
  for (const RacingPair& race : races_.pairs()) make_visible(all, race);
  return all.visible_plain.size() == schedule.visible_plain.size();
}

std::unique_ptr<const KnownRun> NewOrders::Made::copy(const KnownRun& from) {
  auto run = std::make_unique<KnownRun>();
  run->assign(from.summary());
  return run;
}

void NewOrders::learn(const KnownRun& run, const Schedule& schedule, bool) {
  const size_t known = races_.pairs().size();
  for (const RacingPair& race : run.races) races_.add(race);
  if (races_.pairs().size() != known) left_.clear(), made_.clear(), orders_.clear(), prefixes_.clear();
  if (left_.size() >= kMostLeft || run.events.empty() || run.events.size() > kLongestRun || !run.can_be_repeated()) return;
  Schedule base = without_order(schedule);
  base.visible_plain = schedule.visible_plain;
  if (!shows_races(base)) return;
  Made made(run);
  if (!orders_.insert(made.reversals.order_key()).second) return;
  std::erase_if(left_, [&](const Child& child) { return made.has(child); });
  order_children(run, made.reversals, base, [&](OrderChild&& child) {
    if (left_.size() >= kMostLeft || !fits(child.schedule) || !prefixes_.insert(child.prefix).second) return;
    const auto place = [&](uint32_t e) { return mix(run.events[e].site, static_cast<uint8_t>(run.events[e].kind)); };
    left_.push_back({std::move(child.schedule), mix(place(child.first), place(child.second)), child.prefix, std::move(child.shape)});
    const Child& last = left_.back();
    if (std::any_of(made_.begin(), made_.end(), [&](const Made& m) { return m.has(last); })) left_.pop_back();
  });
  if (made_.size() >= kMostMade) made_.pop_front();
  made_.push_back(std::move(made));
}

size_t NewOrders::draw(Rng& rng) const {
  size_t best = 0;
  uint32_t least = 0, ties = 0;
  for (size_t i = 0; i < left_.size(); ++i) {
    const auto known = turned_.find(left_[i].places);
    const uint32_t turned = known != turned_.end() ? known->second : 0;
    if (ties != 0 && turned > least) continue;
    if (ties == 0 || turned < least) least = turned, ties = 0;
    if (rng.below(++ties) == 0) best = i;
  }
  return best;
}

Schedule NewOrders::next(const Schedule& parent, Rng& rng) {
  Schedule child = without_order(parent);
  if (!left_.empty()) {
    const size_t drawn = draw(rng);
    ++turned_[left_[drawn].places];
    child = std::move(left_[drawn].schedule);
    continue_in_turns(child, turn_++);
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(drawn));
  }
  child.seed = rng.next();
  make_constraints_visible(child);
  return child;
}

}  // namespace heddle::mutator
