// The stored runs: the last few in any case, and novel ones by the hash of their input. At the memory limit, the least recently used ones
// are dropped.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "mutator/knowledge/known_run.h"
#include "mutator/rng.h"

namespace heddle::mutator {

class RunStore {
 public:
  explicit RunStore(size_t memory_limit) : limit_(memory_limit) {}

  const KnownRun& add(const RunSummary& run);
  // Pins a run that is among the last few.
  void keep(uint64_t hash);
  // Null: not known, or no longer known. A look-up makes a pinned run the most recently used one.
  const KnownRun* find(uint64_t hash);
  // A substitute for an unknown parent: one of the recent or pinned runs. Null if nothing was learned yet.
  const KnownRun* any(Rng& rng) const;
  size_t pinned() const { return pinned_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  struct Pin {
    KnownRun run;
    size_t bytes = 0;  // as counted when it was added
  };

  const KnownRun& pin(const RunSummary& run);

  static constexpr uint32_t kRecent = 4;

  size_t limit_;
  size_t bytes_ = 0;
  std::array<KnownRun, kRecent> recent_;
  uint32_t learned_ = 0;
  std::list<Pin> pinned_;  // most recently used first
  std::unordered_map<uint64_t, std::list<Pin>::iterator> index_;
};

}  // namespace heddle::mutator
