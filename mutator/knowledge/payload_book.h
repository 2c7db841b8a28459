// Data bytes that were useful. A corpus of schedules is large, and a small input with the same features replaces one whose bytes made progress. Without
// this book, the mutator would have to find a magic number again for each schedule.
//
// There are two ways to be kept. First, the results of a run's comparisons show the progress of its data. For each result (equal to this
// constant, less, so many equal characters; libFuzzer's value profile uses the same), the shortest payload with it is kept for good. The same holds
// for each result that follows another one at the same place: otherwise input after a first keyword would look like input after any other. Second, the
// payloads of the latest novel runs are kept for a while, because data also matter without comparisons.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "mutator/rng.h"
#include "schema/event.h"

namespace heddle::mutator {

class PayloadBook {
 public:
  struct Known {
    std::vector<uint8_t> bytes;
    uint64_t reads = 0;  // RunSummary::payload_reads
    std::vector<Comparison> comparisons;
    uint32_t uses = 0;
    uint32_t outcomes = 0;  // that it is kept for
  };

  // Learns a run whose harness read its data.
  void learn(std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons, bool novel);
  // True if some harness code was seen to read data bytes.
  bool read() const { return read_; }
  // Every second time the payload that was used least, because the search continues with new ones. Null if there is none.
  const Known* draw(Rng& rng);

 private:
  static constexpr size_t kMostRecent = 64, kMostReached = 512, kMostOutcomes = 1 << 14, kLongest = 1024, kPlaces = 1 << 12;
  // How often at most a new payload is drawn before all others.
  static constexpr uint32_t kHeadStart = 32;

  void keep_recent(std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons);
  void reach(uint64_t outcome, std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons, uint32_t& place);
  uint32_t new_place();

  std::vector<Known> recent_, reached_;
  std::vector<uint32_t> free_;                      // of reached_
  std::unordered_map<uint64_t, uint32_t> outcomes_;  // where in reached_
  std::vector<uint64_t> before_ = std::vector<uint64_t>(kPlaces);  // while a run is learned: the latest result at each place
  size_t next_ = 0;
  bool read_ = false;
};

}  // namespace heddle::mutator
