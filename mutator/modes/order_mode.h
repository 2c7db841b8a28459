// GoPie, GoPie+ and GoPieHB (order_rules.h) as modes.
//
// Runs that chains are made from stand in a queue: one that was new comes first, others wait behind. The one in front gives
// a round of children, one of each of its start chains, and goes to the back. A start chain is mutated when it is first
// asked for a child.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/seen.h"
#include "mutator/modes/mode.h"
#include "mutator/modes/order_child.h"
#include "mutator/modes/order_source.h"

namespace heddle::mutator {

class OrderMode : public Mode {
 public:
  OrderMode(const OrderRules& rules, const Options& options);
  ~OrderMode() override;
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

 private:
  struct Work;  // a run in the queue

  // The chain that gopie goes on with: as much of the schedule's as was covered.
  EventChain covered(const OrderSource& source) const;
  void enqueue(std::unique_ptr<Work> work, bool first);
  // The next child of the work; false: it has none left.
  bool take(Work& work, OrderChild& child, Rng& rng);
  void begin(Work& work, Rng& rng);
  void expand(Work& work, size_t set, Rng& rng);
  bool exhausted(uint64_t key) const;
  // The schedule of the child; false: it was tried often enough.
  bool realise(const Work& work, OrderChild& child, Schedule& out, Rng& rng);

  const OrderRules& rules_;
  size_t memory_limit_;
  size_t bytes_ = 0;
  std::deque<std::unique_ptr<Work>> queue_;
  size_t waiting_ = 0;            // of the queue: runs that were not new and have not begun
  double best_score_ = 0;         // of a run, or with happens-before of a start chain
  std::unordered_set<uint64_t> strangers_;  // runs of inputs that were not ours
  SeenCounts tried_, productive_, exact_;   // by chain_key; exact_: with the seed
  // Of chains that got a further element so that they can be enforced: key then, key before. What counts is the latter.
  std::unordered_map<uint64_t, uint64_t> repaired_;
};

std::unique_ptr<Mode> make_gopie(const Options& options);
std::unique_ptr<Mode> make_gopie_plus(const Options& options);
std::unique_ptr<Mode> make_gopie_hb(const Options& options);

}  // namespace heddle::mutator
