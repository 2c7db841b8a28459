// Foresees how much of a schedule's chains would come true: walks through the recorded operations
// in random orders, under the gates of the chains (docs/design/gopie.md#foresight).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/knowledge/branch_book.h"
#include "mutator/knowledge/known_run.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

class OrderWalk;

class Foresight {
 public:
  // Everything that committed before `time` has happened. `branches` may be null. Reused for many
  // chains of one run. REQUIRES: the run outlives it.
  Foresight(const KnownRun& run, uint32_t time, const BranchBook* branches)
      : run_(run), branches_(branches), time_(time), masks_(run.events.size()) {}

  // False: there is no room for it. An element that no operation of the run matches ends its chain.
  bool add(std::span<const Element> chain);
  // The same for a chain of events of the run.
  bool add(std::span<const uint32_t> chain);
  // This event shall have another outcome than recorded.
  void divert(uint32_t event) { diverted_ = event; }
  // One walk. Afterwards realised(k) is the least of all walks so far.
  void walk(Rng& rng);
  uint32_t realised(size_t chain) const { return chains_[chain].least; }
  uint32_t length(size_t chain) const { return chains_[chain].length; }
  size_t size() const { return chains_.size(); }

 private:
  static constexpr uint32_t kMostElements = 64;
  static constexpr uint32_t kMostSteps = 4096;  // of a walk. What takes longer counts as realised

  // As rt::Chains does it: an operation that matches a later element is held.
  struct Chain {
    uint32_t first, length;  // bits of the masks
    uint32_t least;          // realised in each walk so far
    uint32_t current;        // of this walk: the element that is next
    bool over;               // realised, or given up
  };
  // The part of an operation's mask that belongs to the chain, from its current element on.
  static uint64_t rest(const Chain& c, uint64_t mask) {
    return (mask >> c.first & (c.length < 64 ? (uint64_t{1} << c.length) - 1 : ~uint64_t{0})) >>
           c.current;
  }
  bool begin(uint32_t length);
  bool is_held(uint64_t mask) const;
  // True: a chain went on.
  bool advance(uint64_t mask);
  bool give_up(uint64_t mask);
  void hold(OrderWalk& walk) const;

  const KnownRun& run_;
  const BranchBook* branches_;
  uint32_t time_;
  std::vector<uint64_t> masks_;    // by event: which elements it matches
  std::vector<uint32_t> matched_;  // events with a mask
  std::vector<Chain> chains_;
  uint32_t diverted_ = 0xFFFFFFFFu;
  uint32_t used_ = 0;              // elements
};

}  // namespace heddle::mutator
