// The sources of reads, over all runs: for every position that reads, the positions from which it has read, and how often.
//
// Some pairs occur by chance once in a hundred runs, and may lead to something new. Such a pair is then requested explicitly (RFF's power
// schedule prefers the rarest reads-from pairs; FairFuzz does the same with branches).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

class SourceBook {
 public:
  struct Pair {
    Element read, write;  // an open element. A write without a site means the initial value
    uint64_t run;         // the latest novel run that had it, else the first run
  };
  void learn(const KnownRun& run);
  // Whether some run had the pair.
  bool known(const Event& read, const Event& write) const { return entry_of(pair_key(read, &write)) != nullptr; }
  // No new pair has appeared for long. The missing pairs are mostly impossible.
  bool settled() const { return since_new_ >= kSettled; }
  // Draws one of the rare pairs; null: none.
  const Pair* draw(Rng& rng) const;

 private:
  static constexpr size_t kMaxPairs = 1 << 12, kReaders = 1 << 12;
  // A pair is rare if the reader had another source in at least seven of eight reads.
  static constexpr uint64_t kRare = 8;
  // Of the runs with known orders, one in this many is examined, and counts for all of them.
  static constexpr uint32_t kSample = 8;
  static constexpr uint64_t kSettled = 4096;  // runs

  struct Entry {
    uint64_t key;
    Pair pair;
    uint32_t reader;  // slot
    uint32_t count;
  };
  static size_t slot(uint64_t key, size_t slots) { return (key ^ key >> 32) & (slots - 1); }
  static uint64_t reader_key(const Event& e) { return mix(e.site, static_cast<uint8_t>(e.kind)); }
  static uint64_t pair_key(const Event& read, const Event* write) { return mix(reader_key(read), write != nullptr ? write->site : kNoSite); }
  const Entry* entry_of(uint64_t key) const { return entries_.empty() || index_[home(key)] == 0 ? nullptr : &entries_[index_[home(key)] - 1]; }
  // The slot of the key, or the free slot for it.
  size_t home(uint64_t key) const;

  uint64_t since_new_ = 0;  // runs
  std::vector<Entry> entries_;
  std::array<uint16_t, 2 * kMaxPairs> index_{};  // 1 + entry; open addressing
  std::array<uint32_t, kReaders> passages_{};    // by reader. Two readers that share a slot both look rarer than they are
};

}  // namespace heddle::mutator
