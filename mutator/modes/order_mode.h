// GoPie, GoPie+ and GoPieHB (order_rules.h) as modes.
//
// Source runs of chains wait in two queues: those that brought something new, and the last few others. Half of the children come from the
// newest news, a quarter from the news with the fewest children, a quarter from the others in turn. The start chains of a run take turns,
// too. Each is mutated only as far as its children are requested.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/branch_book.h"
#include "mutator/knowledge/seen.h"
#include "mutator/modes/published_mode.h"
#include "mutator/modes/order_child.h"
#include "mutator/modes/order_source.h"

namespace heddle::mutator {

class OrderMode : public PublishedSystem {
 public:
  OrderMode(const OrderRules& rules, const Options& options);
  ~OrderMode() override;
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

 private:
  struct Work;  // a run in the queue

  // The chain that gopie continues with: the part of the schedule's chain that was covered.
  EventChain covered(const OrderSource& source) const;
  void enqueue(std::unique_ptr<Work> work, bool news);
  using Queue = std::deque<std::unique_ptr<Work>>;
  // Whose turn it is: an index in a queue. REQUIRES: one of the queues is not empty.
  Queue& choose(size_t& index);
  void remove(Queue& queue, size_t index);
  // The next child of this source. False: none is left.
  bool take(Work& work, OrderChild& child, Rng& rng);
  void begin(Work& work, Rng& rng);
  // The next chain of that start chain. False: there are no more.
  bool next_chain(Work& work, size_t set, EventChain& chain, Rng& rng);
  bool exhausted(uint64_t key) const;
  // The schedule of the child. False: it was tried often enough.
  bool realise(const Work& work, OrderChild& child, Schedule& out, Rng& rng);

  const OrderRules& rules_;
  size_t memory_limit_;
  size_t bytes_ = 0;
  Queue news_, others_;           // newest first. Of the others, the one that waits longest is first
  uint32_t given_ = 0;            // children so far
  double best_score_ = 0;         // one for a run, or with happens-before one for a start chain
  BranchBook branches_;
  std::unordered_set<uint64_t> strangers_;  // runs of inputs that were not ours
  SeenCounts tried_, productive_, exact_;   // by chain_key; exact_: with the seed
  // For chains that got an additional element to become feasible: the new key and the old key. Counting uses the old key.
  std::unordered_map<uint64_t, uint64_t> repaired_;
};

std::unique_ptr<PublishedSystem> make_gopie(const Options& options);
std::unique_ptr<PublishedSystem> make_gopie_plus(const Options& options);
std::unique_ptr<PublishedSystem> make_gopie_hb(const Options& options);

}  // namespace heddle::mutator
