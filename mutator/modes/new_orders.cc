#include "mutator/modes/new_orders.h"

#include <algorithm>
#include <utility>

#include "mutator/modes/continuation.h"
#include "mutator/operators/chain.h"

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
  groups_.learn(run);
  if (left_.size() >= kMostLeft || run.events.empty() || run.events.size() > kLongestRun || !run.can_be_repeated()) return;
  Schedule base = without_order(schedule);
  base.visible_plain = schedule.visible_plain;
  if (!shows_races(base)) return;
  Made made(run);
  if (!orders_.insert(made.reversals.order_key()).second) return;
  std::erase_if(left_, [&](const Child& child) { return made.has(child); });
  add_children(made, base);
  if (made_.size() >= kMostMade) made_.pop_front();
  made_.push_back(std::move(made));
}

// Of the far pairs, a race that has been found is the most promising one: often only a lock that both threads use in passing orders the two.
void NewOrders::add_children(const Made& made, const Schedule& base) {
  const auto add_one = [&](OrderChild&& child) { add(*made.run, std::move(child)); };
  if (reach_ == Reach::near) order_children(*made.run, made.reversals, base, add_one);
  far_order_children(*made.run, made.reversals, base, reach_ == Reach::near ? FarPairs::plain : FarPairs::all, add_one);
}

void NewOrders::add(const KnownRun& run, OrderChild&& child) {
  if (left_.size() >= kMostLeft || !fits(child.schedule) || !prefixes_.insert(child.prefix).second) return;
  const auto position = [&](uint32_t e) { return ObjectGroups::position(run.events[e].site, run.events[e].kind); };
  const bool race = run.events[child.first].thread != run.events[child.second].thread;
  const auto thread = [&](uint32_t e) { return race ? run.threads[run.events[e].thread].id : kAnyThread; };
  left_.push_back({.schedule = std::move(child.schedule),
                   .position = position(child.first),
                   .places = mix(position(child.first), position(child.second)),
                   .overtakes = thread(child.second),
                   .overtaken = thread(child.first),
                   .prefix = child.prefix,
                   .shape = std::move(child.shape)});
  const Child& last = left_.back();
  if (std::any_of(made_.begin(), made_.end(), [&](const Made& m) { return m.has(last); })) left_.pop_back();
}

size_t NewOrders::draw(Rng& rng) const {
  size_t best = 0;
  uint32_t ties = 0;
  std::pair<uint32_t, uint32_t> least;
  for (size_t i = 0; i < left_.size(); ++i) {
    const auto known = turned_.find(left_[i].places);
    const std::pair turned(known != turned_.end() ? known->second : 0, groups_.tried(left_[i].position));
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
    Child& next = left_[drawn];
    ++turned_[next.places];
    groups_.try_one(next.position);
    child = std::move(next.schedule);
    continue_in_turns(child, turn_++, next.overtakes, next.overtaken);
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(drawn));
  }
  child.seed = rng.next();
  make_constraints_visible(child);
  return child;
}

}  // namespace heddle::mutator
