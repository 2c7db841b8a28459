// The sources of reads, over all runs: for every position that reads, the positions from which it has read, and how often.
//
// A pair that happens by chance once in a hundred runs, and may lead somewhere new, is then requested by name (RFF's power schedule favours
// the rarest reads-from pairs; FairFuzz does the same with branches).
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
    Element read, write;  // open; a write without a site: the initial value
    uint64_t run;         // the latest novel one that had it, else the first
  };
  void learn(const KnownRun& run);
  // Whether some run had it.
  bool known(const Event& read, const Event& write) const { return entry_of(pair_key(read, &write)) != nullptr; }
  // No new pair has come for long: those that have not come yet mostly never will.
  bool settled() const { return since_new_ >= kSettled; }
  // One of the rare pairs; null: none was drawn.
  const Pair* draw(Rng& rng) const;

 private:
  static constexpr size_t kMaxPairs = 1 << 12, kReaders = 1 << 12;
  // A pair is rare when the reader had another source seven times out of eight.
  static constexpr uint64_t kRare = 8;
  // Of the runs of known orders one in so many is looked at, and counts for all of them.
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
  // The slot of the key, or the free one that it would have.
  size_t home(uint64_t key) const;

  uint64_t since_new_ = 0;  // runs
  std::vector<Entry> entries_;
  std::array<uint16_t, 2 * kMaxPairs> index_{};  // 1 + entry; open addressing
  std::array<uint32_t, kReaders> passages_{};    // by reader; two that fall together both look rarer than they are
};

}  // namespace heddle::mutator
