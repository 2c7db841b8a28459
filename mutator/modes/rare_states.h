// A system of `mixed`: each child returns to a state of the shared memory that is rare, and walks on from there (knowledge/state_book.h).
//
// Why: a bug that needs many preemptions, such as an ABA, has no sign on the way: each of its steps is an order like many others. But the
// states on the way to it are rare (docs/design/measurements-search.md#deep-bugs).
#pragma once

#include "mutator/knowledge/state_book.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class RareStates : public PublishedSystem {
 public:
  bool learns_from(const KnownRun& run) const override { return StateBook::learns_from(run); }
  void learn(const KnownRun& run, const Schedule& schedule, bool) override { book_.learn(run, schedule); }
  Schedule next(const Schedule& parent, Rng& rng) override;
  bool idle() const override { return book_.exhausted(); }

 private:
  StateBook book_;
  size_t turn_ = 0;
};

}  // namespace heddle::mutator
