// What makes a run interesting to GFuzz, and its score, in both definitions. What was seen is kept for all runs. (The reimplementation
// cleared it after each run and never stored the longest queue. So almost everything was news: docs/design/gfuzz.md#what-heddle-corrects.)
//
// A channel is identified by the place where it was made, which is the same in two runs.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "mutator/modes/gfuzz_order.h"

namespace heddle::mutator {

struct Verdict {
  bool interesting = false;
  double score = 0;
};

// The paper (docs/design/gfuzz.md#interesting-runs). Interesting is
//   1. a pair of consecutive operations on one channel never seen,
//   2. a pair's count in a range (2^(N-1), 2^N] in which none of its counts was,
//   3. a channel made, closed or left open for the first time,
//   4. a buffer fuller, as a share of its capacity, than ever.
// score = sum log2(count of a pair) + 10 * channels made + 10 * channels closed + 10 * sum of the fullness of each buffer.
class PaperInterest {
 public:
  Verdict learn(const ChannelOps& run);

 private:
  std::unordered_map<uint64_t, uint32_t> buckets_;  // for each pair: the ranges seen, one bit each
  std::unordered_map<SiteId, uint8_t> channels_;    // bits: made, closed, left open
  std::unordered_map<SiteId, double> fullness_;
};

// Advocate (docs/design/gfuzz.md#what-is-interesting-with-happens-before). Interesting is
//   a. a pair of sites never seen that a value went between,
//   b. a pair's count that differs from its average (over the runs so far that had the pair) by half of it or more,
//   c. a channel never seen, or closed (or left open) for the first time,
//   d. a longer queue in a buffer than ever,
//   e. a select never seen, or a case of it (an outcome of another choice) taken for the first time.
// score = sum log2(count of a pair) + 10 * channels made + 10 * closes + 10 * sum of the longest queues
//         + 10 * cases and outcomes of the order that were not taken and are possible.
class HbInterest {
 public:
  Verdict learn(const ChannelOps& run, const SelectOrder& order);

 private:
  struct Average {
    uint64_t total = 0, runs = 0;
  };
  std::unordered_map<uint64_t, Average> pairs_;
  std::unordered_map<SiteId, uint8_t> channels_;
  std::unordered_map<SiteId, uint32_t> queues_;
  std::unordered_set<uint64_t> choices_;
};

// ceil(5 * score / best) children. Five if there is no score to compare with.
uint32_t gfuzz_children(double score, double best);

}  // namespace heddle::mutator
