// `gfuzz-hb`: GFuzz with happens-before information about each select (docs/design/gfuzz.md#gfuzzhb). A mutation flips each select with
// such a probability that at least one flips in 99 % of mutations. A flip never takes the recorded case, and cases that may find a partner
// are three times as likely as others. In a C++ program without selects, other choices of the same kind
// (docs/design/gfuzz.md#choices-of-the-select-kind) are mutated in the same way.
#pragma once

#include "mutator/modes/gfuzz_interest.h"
#include "mutator/modes/gfuzz_queue.h"

namespace heddle::mutator {

// max(0.1, 1 - 0.01^(1/n)) for each of n selects: with 99 % probability at least one flips, and each flips with at least 10 %.
double flip_probability(size_t selects);

// One mutation of the order. The information about partners is valid up to the first flip. After that the run is another one, and all cases
// except the recorded one have equal weights.
std::vector<int32_t> flip_some(const SelectOrder& order, Rng& rng);

class GfuzzHb : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

  size_t queued() const { return queue_.size(); }

 private:
  // How often one mutation may run. The second time with another seed; otherwise it would be the same run.
  static constexpr uint32_t kMaxRuns = 2;

  // False: of the mutations drawn, more than the entry's share had no runs left.
  bool mutate(GfuzzQueue::Entry& entry, Schedule& child, Rng& rng);

  HbInterest interest_;
  GfuzzQueue queue_;
  double best_ = 0;
};

}  // namespace heddle::mutator
