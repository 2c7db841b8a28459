// The four rules on chains, and the loop around them (docs/design/gopie.md#mutation, with the originals' mistakes corrected).
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// Each function adds all chains that the rule makes of `chain` to `out`, or a random selection of `rules().per_rule`. In all of them, two
// neighbours of one thread are in program order.
void abridge_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void flip_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void substitute_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void augment_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);

// A start chain and the chains that repeated use of the rules makes of it, those with the fewest steps first. They are made on demand.
class Mutants {
 public:
  // REQUIRES: the source outlives it. `count` is the maximum number of chains.
  Mutants(const OrderSource& source, const EventChain& start, uint32_t count);
  // The next chain. False: there are no more, because `count` is reached or the rules make no others.
  bool next(EventChain& chain, Rng& rng);
  // Did the rules make all possible chains? REQUIRES: next() returned false.
  bool closed() const { return all_.size() < count_; }
  // Was this chain made, even if next() has not returned it yet?
  bool made(const EventChain& chain) const { return known_.contains(chain); }

 private:
  struct Hash {
    size_t operator()(const EventChain& chain) const { return chain.hash(); }
  };
  // The limit.
  void grow(size_t size, Rng& rng);

  const OrderSource& source_;
  size_t count_, given_ = 0;
  std::vector<EventChain> all_, next_, made_;
  std::unordered_set<EventChain, Hash> known_;
};

}  // namespace heddle::mutator
