#include "mutator/modes/opening.h"

#include <algorithm>
#include <iterator>

#include "mutator/modes/flow.h"
#include "mutator/modes/order_mode.h"
#include "mutator/modes/walk.h"

namespace heddle::mutator {

Opening::Opening(const Options& options) : children_(options.opening), over_(children_ == 0) {
  if (over_) return;
  const auto add = [&](Player player, std::string_view name, std::unique_ptr<PublishedSystem> system) {
    systems_[player] = std::make_unique<PublishedMode>(name, std::move(system));
  };
  if (options.search_weight != 0 && options.plain_weight != 0) add(surw, "surw", make_walk("surw"));
  if (options.flow_weight != 0) add(flow, "flow", std::make_unique<Flow>());
  if (options.order_weight != 0) add(gopie_hb, "gopie-hb", make_gopie_hb(options));
}

Opening::Player Opening::player(uint32_t child) {
  constexpr uint32_t kFirsts = std::size(kFirst);
  return child < kFirsts ? kFirst[child] : kThen[(child - kFirsts) % std::size(kThen)];
}

PublishedMode* Opening::turn(bool has_orders, bool reads_data) {
  const bool again = current_ != nullptr;
  current_ = nullptr;
  if (child_ >= children_) close();
  if (over_ || !has_orders || (reads_data && again)) return nullptr;
  return current_ = systems_[player(child_++)].get();
}

void Opening::learn(const KnownRun& run, std::span<const uint8_t> input) {
  if (run.threads.size() <= 1 && run.races.empty()) return;
  for (const auto& system : systems_) {
    if (system != nullptr) system->learn(run, input);
  }
}

void Opening::made(uint64_t hash, Making how) {
  if (current_ == nullptr || how == Making::shrink) return;
  current_->made(hash, how);
  made_.push_back(hash);
}

void Opening::set_free(const EnginePick& pick) const {
  if (std::find(made_.begin(), made_.end(), pick.hash) == made_.end()) return;
  Schedule& s = pick.schedule;
  s.elements.clear(), s.reads_from.clear(), s.delays.clear(), s.selects.clear(), s.weights.clear();
  s.strategy = StrategyId::automatic;
  s.pct_depth = 0;
  s.step_estimate = 0;
  s.surw_site = kNoSite;
}

void Opening::close() {
  over_ = true;
  for (auto& system : systems_) system.reset();
}

}  // namespace heddle::mutator
