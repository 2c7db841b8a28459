#include "mutator/modes/walk.h"

#include "mutator/knowledge/relations.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

void Walk::learn(const KnownRun& run, const Schedule&, bool) {
  for (const RacingPair& pair : run.races) races_.add(pair);
  steps_ = std::max(steps_, run.steps);
  if (any([](const Way& w) { return w.strategy == StrategyId::surw; })) learn_targets(run);
  if (any([](const Way& w) { return w.pauses; })) learn_places(run);
}

void Walk::learn_places(const KnownRun& run) {
  if (run.events.empty()) return;
  const Relations& relations = run.relations();
  for (const uint32_t e : relations.shared()) {
    if (places_.size() >= kMaxPlaces) return;
    const Element place = relations.open(e);
    if (std::find(places_.begin(), places_.end(), place) == places_.end()) places_.push_back(place);
  }
}

// As in SURW: objects that at least two threads, and half of them, have touched and one has written; drawn by how often they are accessed.
void Walk::learn_targets(const KnownRun& run) {
  const Relations& relations = run.relations();
  std::vector<Target> targets;
  uint64_t all = 0;
  for (uint32_t object = 1; object < run.objects.size(); ++object) {
    const auto list = relations.on_object(object);
    Target target{kNoSite, 0, {}};
    bool written = false;
    for (const uint32_t e : list) {
      const Event& event = relations.event(e);
      written |= kind_info(event.kind).has(kWrites) || kind_info(event.kind).has(kHoldsLock);
      if (target.site == kNoSite) target.site = event.site;
      const ThreadId thread = run.threads[event.thread].id;
      const auto known = std::find_if(target.weights.begin(), target.weights.end(), [&](const ThreadWeight& w) { return w.thread == thread; });
      if (known != target.weights.end()) ++known->count;
      else target.weights.push_back({thread, 1, 0});
      ++target.accesses;
    }
    if (!written || target.weights.size() < std::max<size_t>(2, run.threads.size() / 2)) continue;
    all += target.accesses;
    targets.push_back(std::move(target));
  }
  if (all <= target_accesses_) return;
  target_accesses_ = all;
  targets_ = std::move(targets);
}

Schedule Walk::next(const Schedule& parent, Rng& rng) {
  Schedule s = without_order(parent);
  s.seed = rng.next();
  if (turn_ == kLate && !late_.empty()) ways_.insert(ways_.end(), late_.begin(), late_.end());
  const Way& way = ways_[turn_++ % ways_.size()];
  s.strategy = way.strategy;
  for (const RacingPair& race : races_.pairs()) make_visible(s, race);
  if (s.strategy == StrategyId::pct) {
    s.pct_depth = way.pct_depth;
    s.step_estimate = steps_;
  }
  if (way.pauses && !places_.empty()) {
    s.delays.push_back({places_[rng.below(static_cast<uint32_t>(places_.size()))], Element{}});
  }
  if (s.strategy == StrategyId::surw && !targets_.empty()) {
    uint64_t ticket = rng.next() % target_accesses_;
    for (const Target& target : targets_) {
      if (ticket >= target.accesses) {
        ticket -= target.accesses;
        continue;
      }
      s.surw_site = target.site;
      s.weights = target.weights;
      break;
    }
  }
  return s;
}

std::unique_ptr<PublishedSystem> make_walk(std::string_view name) {
  const StrategyId strategy = name == "pct"    ? StrategyId::pct
                              : name == "pos"  ? StrategyId::pos
                              : name == "surw" ? StrategyId::surw
                                               : StrategyId::random_walk;
  return std::make_unique<Walk>(std::vector<Walk::Way>{{strategy}});
}

std::unique_ptr<PublishedSystem> make_walks() {
  constexpr bool kPause = true;
  const std::vector<Walk::Way> ways = {
      {StrategyId::random_walk, kPause},
      {StrategyId::surw, kPause},
      {StrategyId::places},
      {StrategyId::random_walk},
      {StrategyId::turns},
      {StrategyId::pct, kPause, 1},
      {StrategyId::pos},
      {StrategyId::random_walk},
  };
  return std::make_unique<Walk>(ways, std::vector<Walk::Way>(3, {StrategyId::surw}));
}

}  // namespace heddle::mutator
