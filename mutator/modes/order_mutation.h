// The four rules on chains, and the loop around them (docs/design/gopie.md#mutation, with the originals' mistakes corrected).
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "mutator/modes/order_source.h"

namespace heddle::mutator {

// Each adds all chains that the rule makes of `chain` to `out`, or `rules().per_rule` of them, drawn. Two neighbours of one
// thread are in the order of its program in all of them.
void abridge_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void flip_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void substitute_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);
void augment_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out);

// A start chain and what the rules make of it, rule upon rule, shortest way first; made as they are asked for.
class Mutants {
 public:
  // REQUIRES: the source stays. `count`: the most chains.
  Mutants(const OrderSource& source, const EventChain& start, uint32_t count);
  // The next one; false: there are no more, because they are `count`, or because the rules make no others.
  bool next(EventChain& chain, Rng& rng);
  // Were these all that the rules make? REQUIRES: next() returned false.
  bool closed() const { return all_.size() < count_; }
  // Has it been made, whether next() gave it or not?
  bool made(const EventChain& chain) const { return known_.contains(chain); }

 private:
  struct Hash {
    size_t operator()(const EventChain& chain) const { return chain.hash(); }
  };
  // Up to so many.
  void grow(size_t size, Rng& rng);

  const OrderSource& source_;
  size_t count_, given_ = 0;
  std::vector<EventChain> all_, next_, made_;
  std::unordered_set<EventChain, Hash> known_;
};

}  // namespace heddle::mutator
