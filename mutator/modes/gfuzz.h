// `gfuzz`: GFuzz as in its paper (docs/design/gfuzz.md#gfuzz). An interesting run is mutated ceil(5 * score / best score) times. A mutation
// gives every select of the recorded order a uniformly random case. The runtime waits for that case alone until nothing else can run.
#pragma once

#include "mutator/modes/gfuzz_interest.h"
#include "mutator/modes/gfuzz_queue.h"

namespace heddle::mutator {

class Gfuzz : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

  size_t queued() const { return queue_.size(); }

 private:
  PaperInterest interest_;
  GfuzzQueue queue_;
  double best_ = 0;
};

}  // namespace heddle::mutator
