// `exhaust`: makes every order of a small program, and says so when there is none left (docs/design/exhaust.md).
//
// Each run's races are reversed, each reversal once, and so are its choices (which case, which waiter, time-outs, spurious wakes). A child is
// a chain of everything before the reversal, and holds the rest until then; after it, a fixed strategy goes on.
//
// Not enumerated: data bytes, failures without a reason of weak compare-and-swaps and tries, when time passes, and weak memory.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/race_book.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Exhaust : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;
  std::string statistics() const override;

 private:
  static constexpr size_t kMostLeft = 1 << 16;  // children to make

  // All orders were made, and nothing was left out.
  bool complete() const { return begun_ && left_.empty() && waiting_ == 0 && !gave_up_; }
  Schedule first_child(const Schedule& parent) const;
  void restart();
  void add(Schedule child, uint64_t key);
  void announce();

  RaceBook races_;
  std::vector<Schedule> left_;                // the next one is the last
  std::unordered_set<uint64_t> orders_;       // made
  std::unordered_set<uint64_t> prefixes_;     // made, or among left_
  uint64_t impossible_ = 0;                   // children whose prefix did not come true
  uint32_t waiting_ = 0;                      // children that have not run yet
  bool begun_ = false, gave_up_ = false, said_ = false;
};

}  // namespace heddle::mutator
