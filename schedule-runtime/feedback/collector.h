// Collects the features of one run: counts per counter, and what each counter represents. Cleared in O(1).
#pragma once

#include <cstdint>

#include "feedback/sink.h"
#include "schema/identity.h"

namespace heddle::rt {

// The most informative first. If a run has more features than it may report, the later ones are dropped.
enum class Interest : uint8_t { constant, chain, order_class, race, pair, outcome, choice, contention };
inline constexpr int kInterests = 8;

// The counters: a few fixed ones, a region for the order class, and the rest for everything else.
inline constexpr uint32_t kConstantCounter = 0;
inline constexpr uint32_t kFirstChainCounter = 1;
inline constexpr uint32_t kChainCounters = 16;
inline constexpr uint32_t kFirstOrderCounter = 64;
inline constexpr uint32_t kOrderCounters = 64;
inline constexpr uint32_t kFirstHashedCounter = 128;
inline constexpr uint32_t kHashedCounters = kCounters - kFirstHashedCounter;

// For a fuzzing engine a feature is a counter with a bucket of its value. Facts with a hash are hashed over (counter, bucket), together
// with the bucket of how often they occurred. That gives eight times as many cells as there are counters; otherwise most counters would
// never be higher than 1. If two facts share a counter in one run, one of them is reported, a new one before one that was seen. If the
// engine has a place for each, both are reported.
class Collector {
 public:
  static constexpr uint32_t kMaxTouched = 1024;  // distinct things looked at in one run

  void begin() {
    ++epoch_;
    touched_ = 0;
  }
  // One of the fixed counters.
  void add(uint32_t counter, Interest interest, uint32_t amount = 1) { count(counter, 0, interest, amount); }
  void add_hashed(uint64_t hash, Interest interest) {
    count(kFirstHashedCounter + static_cast<uint32_t>((hash >> 32) * (kCells - kFirstHashedCounter) >> 32), hash, interest, 1);
  }

  // Writes at most `limit` features to `out` and returns their number. Without `places`, they have different counters. Those that this
  // process has never reported come first, then the more informative kinds. `novel`: a feature was written that was never reported before.
  // That is libFuzzer's own rule for keeping an input.
  uint32_t select(uint32_t limit, Feature* out, bool& novel, bool places = false);

  uint32_t touched() const { return touched_; }
  uint32_t distinct_seen() const { return distinct_; }

 private:
  static constexpr uint32_t kCells = 4096;  // one for each fixed counter, then by hash
  struct Cell {
    uint64_t hash;
    uint32_t epoch;
    uint8_t value;
    Interest interest;
  };

  void count(uint32_t at, uint64_t hash, Interest interest, uint32_t amount) {
    Cell& cell = cells_[at];
    if (cell.epoch != epoch_) {
      if (touched_ == kMaxTouched) return;
      cell = {hash, epoch_, 0, interest};
      list_[touched_++] = static_cast<uint16_t>(at);
    }
    const uint32_t value = cell.value + amount;
    cell.value = value < 255 ? static_cast<uint8_t>(value) : 255;
  }
  Feature feature(uint16_t cell) const;
  bool unseen(Feature f) const;
  void report(Feature f, bool places, Feature* out, uint32_t& n, bool& novel);

  uint32_t epoch_ = 0;
  uint32_t touched_ = 0;
  uint32_t distinct_ = 0;  // features ever reported
  Cell cells_[kCells] = {};
  uint16_t list_[kMaxTouched] = {};
  uint8_t seen_[kCounters] = {};     // a bit per bucket
  uint32_t reported_[kCounters] = {};  // epoch of the last run that reported it
};

}  // namespace heddle::rt
