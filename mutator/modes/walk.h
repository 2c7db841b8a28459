// `random`, `pct`, `pos`, `surw`: one strategy, run after run with a fresh seed; for `mixed`, several ways in turns. Nothing is mutated and
// nothing is kept; all that is learned is what the strategies themselves ask for (docs/design/strategies.md), and which plain accesses race:
// those are choice points from then on. They are there to be compared with.
//
// A way of `mixed` may have a pause: at one position, drawn among those where threads meet, all threads wait until nothing else can run. So
// the number of places decides how likely a switch is there, and not the number of steps or threads.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "mutator/knowledge/race_book.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Walk : public PublishedSystem {
 public:
  struct Way {
    StrategyId strategy;
    bool pauses = false;
    uint8_t pct_depth = 3;  // the usual one
  };
  explicit Walk(std::vector<Way> ways, std::vector<Way> late = {}) : ways_(std::move(ways)), late_(std::move(late)) {}

  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

 private:
  static constexpr size_t kMaxPlaces = 256;

  // An object that SURW can concentrate on: a position that touches it, and how often each thread did.
  struct Target {
    SiteId site;
    uint32_t accesses;
    std::vector<ThreadWeight> weights;
  };
  void learn_targets(const KnownRun& run);
  void learn_places(const KnownRun& run);
  bool any(auto way) const { return std::any_of(ways_.begin(), ways_.end(), way); }

  static constexpr size_t kLate = 512;  // walks

  std::vector<Way> ways_;
  std::vector<Way> late_;  // also take turns after kLate walks
  size_t turn_ = 0;
  RaceBook races_;
  uint32_t steps_ = 0;            // of the longest run
  std::vector<Target> targets_;   // of the run with most shared accesses
  uint64_t target_accesses_ = 0;  // of all of them
  std::vector<Element> places_;   // to pause at: open
};

// By the mode's name.
std::unique_ptr<PublishedSystem> make_walk(std::string_view name);
// The ways of `mixed`, in turns: docs/design/mutation.md#the-opening.
std::unique_ptr<PublishedSystem> make_walks();

}  // namespace heddle::mutator
