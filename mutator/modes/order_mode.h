// GoPie, GoPie+ and GoPieHB (order_rules.h) as modes.
//
// Runs that chains are made from wait in two queues: those that brought something new, and the last few others. Half of
// the children are of the newest news, a quarter of the news that had the fewest, a quarter of the others in turn. The start
// chains of a run take turns, too, and are mutated as far as their children are asked for.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

  // The chain that gopie goes on with: as much of the schedule's as was covered.
  EventChain covered(const OrderSource& source) const;
  void enqueue(std::unique_ptr<Work> work, bool news);
  using Queue = std::deque<std::unique_ptr<Work>>;
  // Whose turn it is: a place in a queue. REQUIRES: one of the queues has something in it.
  Queue& choose(size_t& index);
  void remove(Queue& queue, size_t index);
  // The next child of the work; false: it has none left.
  bool take(Work& work, OrderChild& child, Rng& rng);
  void begin(Work& work, Rng& rng);
  // The next chain of that start chain; false: there are no more.
  bool next_chain(Work& work, size_t set, EventChain& chain, Rng& rng);
  bool exhausted(uint64_t key) const;
  // The schedule of the child; false: it was tried often enough.
  bool realise(const Work& work, OrderChild& child, Schedule& out, Rng& rng);

  const OrderRules& rules_;
  size_t memory_limit_;
  size_t bytes_ = 0;
  Queue news_, others_;           // newest first; the one that waits longest first
  uint32_t given_ = 0;            // children so far
  double best_score_ = 0;         // of a run, or with happens-before of a start chain
  std::unordered_set<uint64_t> strangers_;  // runs of inputs that were not ours
  SeenCounts tried_, productive_, exact_;   // by chain_key; exact_: with the seed
  // Of chains that got a further element so that they can be enforced: key then, key before. What counts is the latter.
  std::unordered_map<uint64_t, uint64_t> repaired_;
};

std::unique_ptr<PublishedSystem> make_gopie(const Options& options);
std::unique_ptr<PublishedSystem> make_gopie_plus(const Options& options);
std::unique_ptr<PublishedSystem> make_gopie_hb(const Options& options);

}  // namespace heddle::mutator
