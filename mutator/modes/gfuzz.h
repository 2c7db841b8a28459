// `gfuzz`: GFuzz as its paper has it (docs/design/gfuzz.md#gfuzz). Interesting runs are mutated ceil(5 * score / best score) times;
// a mutation gives every select of the recorded order a uniformly random case of its own. The runtime waits for that case
// alone until nothing else can run.
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
