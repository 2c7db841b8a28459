// Gathers the features of one run: counts per counter, and what each counter stands for. Emptied in O(1).
#pragma once

#include <cstdint>

#include "feedback/sink.h"
#include "schema/identity.h"

namespace heddle::rt {

// The most telling first: when a run has more features than it may report, the later ones are dropped.
enum class Interest : uint8_t { constant, chain, order_class, race, pair, outcome, choice, contention };
inline constexpr int kInterests = 8;

// The counters: a few fixed ones, the region of the order class, and the rest, into which everything else is hashed.
inline constexpr uint32_t kConstantCounter = 0;
inline constexpr uint32_t kFirstChainCounter = 1;
inline constexpr uint32_t kChainCounters = 16;
inline constexpr uint32_t kFirstOrderCounter = 64;
inline constexpr uint32_t kOrderCounters = 64;
inline constexpr uint32_t kFirstHashedCounter = 128;
inline constexpr uint32_t kHashedCounters = kCounters - kFirstHashedCounter;

class Collector {
 public:
  static constexpr uint32_t kMaxTouched = 1024;  // distinct counters looked at in one run

  void begin() {
    ++epoch_;
    touched_ = 0;
  }
  void add(uint32_t counter, Interest interest, uint32_t amount = 1) {
    Cell& cell = cells_[counter];
    if (cell.epoch != epoch_) {
      if (touched_ == kMaxTouched) return;
      cell = {epoch_, 0, interest};
      list_[touched_++] = static_cast<uint16_t>(counter);
    }
    const uint32_t value = cell.value + amount;
    cell.value = value < 255 ? static_cast<uint8_t>(value) : 255;
  }
  void add_hashed(uint64_t hash, Interest interest) {
    add(kFirstHashedCounter + static_cast<uint32_t>((hash >> 32) * kHashedCounters >> 32), interest);
  }

  // Writes at most `limit` features to `out` and returns their number. Pairs (counter, bucket) that this process has never
  // reported come first, then the more telling kinds. `novel`: one of those written was never reported before, which is libFuzzer's own
  // rule for keeping an input.
  uint32_t select(uint32_t limit, Feature* out, bool& novel);

  uint32_t touched() const { return touched_; }
  uint32_t distinct_seen() const { return distinct_; }

 private:
  struct Cell {
    uint32_t epoch;
    uint8_t value;
    Interest interest;
  };

  bool unseen(uint16_t counter) const;
  void report(uint16_t counter, Feature* out, uint32_t& n, bool& novel);

  uint32_t epoch_ = 0;
  uint32_t touched_ = 0;
  uint32_t distinct_ = 0;  // pairs ever reported
  Cell cells_[kCounters] = {};
  uint16_t list_[kMaxTouched] = {};
  uint8_t seen_[kCounters] = {};  // a bit per bucket
};

}  // namespace heddle::rt
