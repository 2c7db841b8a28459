// `random`, `pct`, `pos`, `surw`: one strategy, run after run with a fresh seed; for `mixed`, all of them in turns. Nothing is mutated and nothing is kept; all that is learned is what the
// strategies themselves ask for (docs/design/strategies.md), and which plain accesses race: those are choice points from then on. They are there to be
// compared with.
#pragma once

#include <utility>
#include <vector>

#include "mutator/knowledge/race_book.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Walk : public PublishedSystem {
 public:
  explicit Walk(std::vector<StrategyId> strategies) : strategies_(std::move(strategies)) {}

  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

 private:
  static constexpr uint32_t kDepth = 3;  // of PCT: the usual one

  // An object that SURW can concentrate on: a position that touches it, and how often each thread did.
  struct Target {
    SiteId site;
    uint32_t accesses;
    std::vector<ThreadWeight> weights;
  };
  void learn_targets(const KnownRun& run);

  std::vector<StrategyId> strategies_;
  size_t turn_ = 0;
  RaceBook races_;
  uint32_t steps_ = 0;            // of the longest run
  std::vector<Target> targets_;   // of the run with most shared accesses
  uint64_t target_accesses_ = 0;  // of all of them
};

// By the mode's name.
std::unique_ptr<PublishedSystem> make_walk(std::string_view name);
// All of them, in turns. surw has two, since it is the best one by itself.
std::unique_ptr<PublishedSystem> make_walks();

}  // namespace heddle::mutator
