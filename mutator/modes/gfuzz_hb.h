// `gfuzz-hb`: GFuzz with what the order of the recorded run says of each select (docs/design/gfuzz.md#gfuzzhb). A
// mutation flips each select with a probability that makes one flip at least 99 % likely; a flip never takes the recorded case, and
// cases that may find a partner are three times as likely as others. A C++ program without selects has choices of their kind
// (docs/design/gfuzz.md#choices-of-the-select-kind): they are mutated alike.
#pragma once

#include "mutator/modes/gfuzz_interest.h"
#include "mutator/modes/gfuzz_queue.h"

namespace heddle::mutator {

// max(0.1, 1 - 0.01^(1/n)) for each of n selects: at least one flips with 99 %, and each with 10 %.
double flip_probability(size_t selects);

// One mutation of the order. What is known of partners holds up to the first flip: from there on the run is another one,
// and all cases but the recorded one are alike.
std::vector<int32_t> flip_some(const SelectOrder& order, Rng& rng);

class GfuzzHb : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

  size_t queued() const { return queue_.size(); }

 private:
  // How often one mutation may run; the second time under another seed, or it would be the same run.
  static constexpr uint32_t kMaxRuns = 2;

  // False: more of those drawn than the entry deserves had had their runs.
  bool mutate(GfuzzQueue::Entry& entry, Schedule& child, Rng& rng);

  HbInterest interest_;
  GfuzzQueue queue_;
  double best_ = 0;
};

}  // namespace heddle::mutator
