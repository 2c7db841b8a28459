// Smaller schedules that do the same, one proposal after the other: constraints go first, then plain sites, then data bytes, in halves and
// ever smaller pieces. The caller runs a proposal and reports whether it still does the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schema/schedule.h"

namespace heddle::mutator {

class Trimmer {
 public:
  // The maximum number of proposals. 0: nothing can be removed, or the bytes are no schedule.
  uint32_t begin(std::span<const uint8_t> input);
  // The next proposal. Valid until the next call.
  const std::vector<uint8_t>& propose();
  // Reports the result of the last proposal. Returns how many proposals there have been, or begin()'s number after the last one.
  uint32_t judge(bool kept);

 private:
  enum Part : uint32_t { chains, reads_from, selects, delays, plain, weights, graph, payload, parts };

  size_t size(uint32_t part) const;
  void erase(Schedule& s, uint32_t part, size_t from, size_t count) const;
  size_t finest(uint32_t part) const;
  bool next_piece();

  Schedule schedule_;          // the smallest so far
  Schedule proposal_;
  std::vector<uint8_t> bytes_;
  size_t data_bytes_ = 0;      // at the beginning
  uint32_t part_ = 0;
  size_t piece_ = 0;           // how much goes at once
  size_t from_ = 0;
  uint32_t limit_ = 0;
  uint32_t done_ = 0;
};

}  // namespace heddle::mutator
