#include "mutator/modes/exhaust.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "mutator/operators/chain.h"
#include "mutator/orders/order_children.h"

namespace heddle::mutator {
void Exhaust::restart() {
  left_.clear();
  orders_.clear();
  prefixes_.clear();
  begun_ = gave_up_ = said_ = false;
  waiting_ = 0;
  impossible_ = 0;
}

void Exhaust::add(Schedule child, uint64_t key) {
  if (!prefixes_.insert(key).second) return;
  if (left_.size() >= kMostLeft || !fits(child)) {
    gave_up_ = true;
    return;
  }
  left_.push_back(std::move(child));
}

// What every child has in common: nothing is drawn but what the prefix leaves open, and that always in the same way.
Schedule Exhaust::first_child(const Schedule& parent) const {
  Schedule s = without_order(parent);
  s.memory_model = MemoryModel::sc;
  s.strategy = StrategyId::round_robin;
  for (const RacingPair& race : races_.pairs()) make_visible(s, race);
  return s;
}

void Exhaust::learn(const KnownRun& run, const Schedule& schedule, bool own) {
  const size_t known = races_.pairs().size();
  for (const RacingPair& pair : run.races) races_.add(pair);
  // More accesses are choice points now, so orders differ in more.
  if (races_.pairs().size() != known) return restart();
  if (!own) return;
  if (waiting_ != 0) --waiting_;
  // Made before a restart, or when nothing was left.
  const Schedule first = first_child(schedule);
  if (schedule.strategy != first.strategy || schedule.visible_plain != first.visible_plain || run.events.empty()) return;
  if (!run.can_be_repeated()) {
    gave_up_ = true;
    return;
  }
  if (!schedule.elements.empty() && (run.chains.empty() || run.chains[0].realised < run.chains[0].length)) ++impossible_;
  const RunReversals reversals(run);
  if (!orders_.insert(reversals.order_key()).second) return;
  order_children(run, reversals, schedule, [this](OrderChild&& child) { add(std::move(child.schedule), child.prefix); });
}

Schedule Exhaust::next(const Schedule& parent, Rng& rng) {
  if (!begun_) {
    begun_ = true;
    left_.push_back(first_child(parent));
  }
  if (left_.empty()) {
    announce();
    Schedule more = without_order(parent);  // the engine wants something to run
    more.seed = rng.next();
    return more;
  }
  ++waiting_;
  Schedule child = std::move(left_.back());
  left_.pop_back();
  return child;
}

void Exhaust::announce() {
  if (said_ || waiting_ != 0) return;
  said_ = true;
  std::fprintf(stderr, "heddle: exhaust: %s\n", statistics().c_str());
}

std::string Exhaust::statistics() const {
  char text[256];
  const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
  if (complete()) {
    std::snprintf(text, sizeof text, "complete: all %llu orders were made, in %llu executions", n(orders_.size()), n(prefixes_.size() + 1));
  } else {
    std::snprintf(text, sizeof text, "%llu orders so far%s, %zu children left", n(orders_.size()), gave_up_ ? ", not all can be made" : "",
                  left_.size());
  }
  std::string out = text;
  if (impossible_ != 0) out += "; " + std::to_string(impossible_) + " times the program could not follow: an operation had to wait";
  return out + "\n";
}

}  // namespace heddle::mutator
