// Data bytes that taught something: of runs that were novel and whose harness read its data.
//
// A corpus of schedules is large, and a small input with the same features replaces one whose bytes led somewhere: without a memory of its own the
// mutator would have to find a magic number again for each schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/rng.h"

namespace heddle::mutator {

class PayloadBook {
 public:
  struct Known {
    std::vector<uint8_t> bytes;
    uint64_t reads;  // RunSummary::payload_reads
  };

  void learn(std::span<const uint8_t> payload, uint64_t reads) {
    read_ = true;
    if (payload.empty() || payload.size() > kLongest) return;
    if (kept_.size() < kMost) kept_.emplace_back();
    Known& known = kept_[next_++ % kMost];
    known.bytes.assign(payload.begin(), payload.end());
    known.reads = reads;
  }
  void note_read() { read_ = true; }
  // Some harness code was seen to read data bytes.
  bool read() const { return read_; }
  // Null when there is none.
  const Known* any(Rng& rng) const {
    return kept_.empty() ? nullptr : &kept_[rng.below(static_cast<uint32_t>(kept_.size()))];
  }

 private:
  static constexpr size_t kMost = 64, kLongest = 1024;
  std::vector<Known> kept_;
  size_t next_ = 0;
  bool read_ = false;
};

}  // namespace heddle::mutator
