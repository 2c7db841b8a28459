#include "mutator/modes/opening.h"

#include <iterator>

#include "mutator/modes/execution_graphs.h"
#include "mutator/modes/flow.h"
#include "mutator/modes/new_orders.h"
#include "mutator/modes/outcomes.h"
#include "mutator/modes/published_mode.h"
#include "mutator/modes/rare_states.h"
#include "mutator/modes/unseen.h"
#include "mutator/modes/walk.h"

namespace heddle::mutator {
namespace {

// Cheaper than looking for the schedule among those that systems have made.
bool asks_for_nothing(const Schedule& s) {
  return s.strategy == StrategyId::automatic && s.elements.empty() && s.reads_from.empty() && s.delays.empty() && s.selects.empty() &&
         s.weights.empty() && (s.pct_depth | s.step_estimate | s.surw_site) == 0;
}

}  // namespace

Opening::Opening(Shared& shared) : shared_(shared), children_(shared.options.opening) {
  if (children_ == 0) return;
  const Options& options = shared.options;
  const auto add = [&](Player player, std::string_view name, std::unique_ptr<PublishedSystem> system) {
    systems_[player] = std::make_unique<PublishedMode>(name, std::move(system));
  };
  if (options.search_weight != 0 && options.plain_weight != 0) add(walks, "walk", make_walks());
  if (options.search_weight != 0 && options.order_weight != 0) add(states, "rare-states", std::make_unique<RareStates>());
  if (options.flow_weight != 0) add(flow, "flow", std::make_unique<Flow>());
  if (options.order_weight != 0 && options.reads_from_weight != 0) {
    auto pairs = std::make_unique<Unseen>();
    pairs_ = pairs.get();
    add(unseen, "unseen", std::move(pairs));
  }
  if (options.select_weight != 0) add(outcomes, "outcomes", std::make_unique<Outcomes>());
  if (options.order_weight != 0) {
    add(orders, "new-orders", std::make_unique<NewOrders>(NewOrders::Reach::near));
    add(far, "far-orders", std::make_unique<NewOrders>(NewOrders::Reach::far));
  }
}

Opening::Player Opening::next_player(bool reads_data) {
  if (since_outcome_++ < kBetweenOutcomes || !ready(outcomes)) return over() ? later_player(reads_data) : next_in_order();
  since_outcome_ = 0;
  return outcomes;
}

Opening::Player Opening::next_in_order() {
  constexpr uint32_t kFirsts = std::size(kFirst);
  const uint32_t child = child_++;
  if (child == 0) cycle_first_ = pairs_ != nullptr && pairs_->has_cycle();
  if (over()) {
    pairs_ = nullptr;
    for (const Player done : {flow, unseen, orders, far}) systems_[done].reset();
  }
  if (cycle_first_ && child < 2) return kFirst[1 - child];
  return child < kFirsts ? kFirst[child] : kThen[(child - kFirsts) % std::size(kThen)];
}

Opening::Player Opening::later_player(bool reads_data) {
  const uint32_t child = later_++;
  const bool returns = child >= kUntilDeep && (child % 4 == 1 || child % 4 == 2) && (!reads_data || child / 4 % kAmongData == 0);
  if (returns && ready(states)) return states;
  if (child % 4 == 3 && ready(graphs)) return graphs;
  return child % 2 == 0 ? walks : moves;
}

Mode* Opening::turn(bool has_orders, bool reads_data) {
  current_ = nullptr;
  if (children_ == 0 || !has_orders) return nullptr;
  if (over()) return current_ = systems_[next_player(reads_data)].get();
  if (reads_data && child_ >= std::size(kFirst) && ++since_ < kAmongData) return nullptr;
  Player chosen = next_player(reads_data);
  if (chosen == orders && !ready(orders) && ready(graphs)) chosen = graphs;
  if (chosen == flow && !ready(flow) && ready(unseen)) chosen = unseen;
  if (systems_[chosen] != nullptr && systems_[chosen]->idle()) chosen = walks;
  if (systems_[chosen] != nullptr) since_ = 0;
  return current_ = systems_[chosen].get();
}

void Opening::learn(const KnownRun& run, std::span<const uint8_t> input) {
  const bool novel = (run.flags & kRunNovel) != 0;
  if (novel && run.hash == last_) made_.insert(last_);
  if (run.threads.size() <= 1 && run.races.empty()) return;
  // Only now, because few programs are run under weak memory, and its tables are large.
  if (!run.coherence.empty() && systems_[graphs] == nullptr && shared_.options.reads_from_weight != 0) {
    systems_[graphs] = std::make_unique<ExecutionGraphs>(shared_);
  }
  // Nearly all runs after the opening are known. Walks need the races and the longest run, and a rare path may have other choices.
  if (over() && !novel) {
    if (systems_[states] != nullptr) systems_[states]->learn(run, input);
    return;
  }
  for (const auto& system : systems_) {
    if (system != nullptr) system->learn(run, input);
  }
}

void Opening::made(uint64_t hash, Making how) {
  last_ = 0;
  if (current_ == nullptr || how == Making::shrink) return;
  current_->made(hash, how);
  last_ = hash;
  if (!over()) made_.insert(hash);
}

void Opening::set_free(const EnginePick& pick) const {
  Schedule& s = pick.schedule;
  if (asks_for_nothing(s) || !made_.contains(pick.hash)) return;
  s.elements.clear(), s.reads_from.clear(), s.delays.clear(), s.selects.clear(), s.weights.clear(), s.graph.clear();
  s.strategy = StrategyId::automatic;
  s.pct_depth = 0;
  s.step_estimate = 0;
  s.surw_site = kNoSite;
}

}  // namespace heddle::mutator
