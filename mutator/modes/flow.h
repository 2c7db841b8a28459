// `flow`: flow fuzzing (docs/design/flow.md). Each run gives at most ten pairs whose reversal can change the control flow. Each pair is
// tried only once: the child is its parent with one more delay, which holds the first operation until the second has run. Pairs of class 1
// come before those of class 2, and value-changing pairs before others, across all runs.
//
// The original delays by three seconds. Here the delay is "until the second has run, or nothing else can". So one try of a pair is enough.
#pragma once

#include <deque>
#include <memory>
#include <unordered_set>

#include "mutator/knowledge/flow_pairs.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Flow : public PublishedSystem {
 public:
  static constexpr uint32_t kPairsPerRun = 10;

  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

  bool idle() const override { return queued() == 0; }
  size_t queued() const;

 private:
  static constexpr size_t kMaxQueued = 4096;  // per rank. If the queue is full, new pairs are dropped
  static constexpr size_t kMaxTried = 1 << 20;
  static constexpr size_t kRanks = 3;

  struct Job {
    std::shared_ptr<const Schedule> parent;
    Delay delay;
  };

  std::deque<Job> jobs_[kRanks];
  FlowPairs pairs_;
  std::unordered_set<uint64_t> tried_;  // pairs in either order, because the child's run has the reversed one
};

}  // namespace heddle::mutator
