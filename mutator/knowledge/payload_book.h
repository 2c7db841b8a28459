// Data bytes that taught something: of runs that were novel and whose harness read its data.
//
// A corpus of schedules is large, and a small input with the same features replaces one whose bytes led somewhere: without a memory of its own the
// mutator would have to find a magic number again for each schedule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mutator/rng.h"
#include "schema/event.h"

namespace heddle::mutator {

class PayloadBook {
 public:
  struct Known {
    std::vector<uint8_t> bytes;
    uint64_t reads;  // RunSummary::payload_reads
    std::vector<Comparison> comparisons;
    uint32_t uses;
  };

  void learn(std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons) {
    read_ = true;
    if (payload.empty() || payload.size() > kLongest) return;
    Known& known = place_of(payload);
    known.reads = reads;
    known.comparisons.assign(comparisons.begin(), comparisons.end());
  }
  void note_read() { read_ = true; }
  // Some harness code was seen to read data bytes.
  bool read() const { return read_; }
  // Every second time the one that was used least: what is new is where the search goes on. Null when there is none.
  const Known* draw(Rng& rng) {
    if (kept_.empty()) return nullptr;
    Known* known = &kept_[rng.below(static_cast<uint32_t>(kept_.size()))];
    if (rng.chance(1, 2)) known = &*std::min_element(kept_.begin(), kept_.end(), [](const Known& a, const Known& b) { return a.uses < b.uses; });
    ++known->uses;
    return known;
  }

 private:
  // Each payload once, however many of the novel schedules have it.
  Known& place_of(std::span<const uint8_t> payload) {
    for (Known& known : kept_) {
      if (std::equal(known.bytes.begin(), known.bytes.end(), payload.begin(), payload.end())) return known;
    }
    if (kept_.size() < kMost) kept_.emplace_back();
    Known& known = kept_[next_++ % kMost];
    known.bytes.assign(payload.begin(), payload.end());
    known.uses = 0;
    return known;
  }

  static constexpr size_t kMost = 64, kLongest = 1024;
  std::vector<Known> kept_;
  size_t next_ = 0;
  bool read_ = false;
};

}  // namespace heddle::mutator
