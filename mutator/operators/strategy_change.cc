// Another strategy, or other parameters, chosen from the parent's run.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {

void surw_parameters(Context& c) {
  c.schedule.surw_site = kNoSite;
  c.schedule.weights.clear();
  if (!c.run || c.run->shared().empty() || c.rng.chance(1, 4)) return;
  // The object of a random shared event: the probability is proportional to its number of accesses.
  const auto shared = c.run->shared();
  const Event& event = c.run->event(shared[c.rng.below(static_cast<uint32_t>(shared.size()))]);
  c.schedule.surw_site = event.site;
  const KnownRun& run = c.run->run();
  if (run.threads.size() > 64) return;
  uint32_t counts[64] = {};
  for (uint32_t e : c.run->on_object(event.object)) ++counts[c.run->event(e).thread];
  for (size_t t = 0; t < run.threads.size(); ++t) {
    if (counts[t]) c.schedule.weights.push_back({run.threads[t].id, counts[t], 0});
  }
}

}  // namespace

bool strategy_change(Context& c) {
  static constexpr StrategyId kDraw[] = {
      StrategyId::random_walk, StrategyId::random_walk, StrategyId::random_walk, StrategyId::pos,
      StrategyId::pos,         StrategyId::pos,         StrategyId::surw,        StrategyId::surw,
      StrategyId::pct,         StrategyId::pct,         StrategyId::sticky,      StrategyId::sticky,
      StrategyId::automatic,   StrategyId::round_robin};
  Schedule& s = c.schedule;
  s.strategy = kDraw[c.rng.below(sizeof kDraw / sizeof *kDraw)];
  if (s.memory_model != MemoryModel::sc && c.rng.chance(1, 8)) s.strategy = StrategyId::writes_first;
  s.pct_depth = 0;
  s.stickiness = 0;
  s.step_estimate = 0;
  s.surw_site = kNoSite;
  s.weights.clear();
  if (s.strategy == StrategyId::pct) {
    s.pct_depth = static_cast<uint8_t>(2 + c.rng.below(4));
    if (c.run && c.run->run().steps) s.step_estimate = c.run->run().steps + c.run->run().steps / 5;
  } else if (s.strategy == StrategyId::sticky) {
    static constexpr uint8_t kStay[] = {64, 128, 192, 224, 240, 250};
    s.stickiness = kStay[c.rng.below(sizeof kStay)];
  } else if (s.strategy == StrategyId::surw) {
    surw_parameters(c);
  }
  return true;
}

}  // namespace heddle::mutator
