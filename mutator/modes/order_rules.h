// The three order fuzzers (docs/design/gopie.md) are the same code with three sets of rules.
//
//   gopie       channels, selects and locks only; always from the start, without replay; mutates the covered part of a
//               chain, and runs give no new chains
//   gopie-plus  every kind, also operations that never finished; flip; replays the source run up to the chain; each run
//               gives new chains
//   gopie-hb    gopie-plus with happens-before: starts where most operations are concurrent, leaves out the impossible
//
// Where each number comes from: docs/design/gopie.md#numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::mutator {

struct OrderRules {
  bool every_kind;      // false: only channels, selects, mutexes and rwlocks that finished
  bool flip;
  bool replay;          // a child keeps the seed of its chain's source run
  bool fresh_chains;    // each run gives chains. false: only its own chain, as far as it was covered
  bool select_variants;
  bool happens_before;
  uint32_t bound;       // a longer chain is neither substituted in nor augmented
  uint32_t per_rule;    // the most chains that one rule makes of one chain, drawn at random
  uint32_t least;       // a chain of fewer elements is not run
  uint32_t repeats, repeats_productive;  // runs of one chain
};

inline constexpr uint32_t kMutateBound = 128;  // chains from one start chain, at full energy
inline constexpr uint32_t kStartChains = 24;   // of one run
inline constexpr uint32_t kStartRounds = 9;    // the most elements of a start chain after its first

// One element gives no order. But the original runs such chains, each up to 100 times.
inline constexpr OrderRules kGoPie{
    .every_kind = false, .flip = false, .replay = false, .fresh_chains = false, .select_variants = false,
    .happens_before = false, .bound = 3, .per_rule = kMutateBound, .least = 1, .repeats = 100,
    .repeats_productive = 100};
inline constexpr OrderRules kGoPiePlus{
    .every_kind = true, .flip = true, .replay = true, .fresh_chains = true, .select_variants = true,
    .happens_before = false, .bound = 9, .per_rule = 6, .least = 2, .repeats = 3, .repeats_productive = 10};
inline constexpr OrderRules kGoPieHb{
    .every_kind = true, .flip = true, .replay = true, .fresh_chains = true, .select_variants = true,
    .happens_before = true, .bound = 9, .per_rule = 6, .least = 2, .repeats = 3, .repeats_productive = 10};

}  // namespace heddle::mutator
