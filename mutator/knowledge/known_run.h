// A run in the mutator's memory: an owned copy of its summary, cut to a fixed number of events (schema/run_window.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schema/event.h"

namespace heddle::mutator {

class Relations;

struct KnownRun {
  // Events outside the window are dropped, except operations that never finished: these matter most.
  static constexpr uint32_t kMaxEvents = 4096;
  static constexpr uint32_t kMaxUnfinished = 256;

  KnownRun();
  ~KnownRun();
  void assign(const RunSummary& run);
  RunSummary summary() const;
  size_t bytes() const;
  // A child can repeat it up to any point. Not so if events are missing, if it ended too early, if it has more threads than a child can hold,
  // or if its memory is weak.
  bool can_be_repeated() const;
  // Computed on first use and kept with the run.
  const Relations& relations() const;

  uint64_t hash = 0;
  uint32_t flags = 0;
  uint32_t steps = 0;
  uint64_t payload_reads = 0;
  bool cut = false;
  std::vector<Event> events;
  std::vector<ThreadRecord> threads;
  std::vector<ObjectRecord> objects;
  std::vector<RacingPair> races;
  std::vector<ChainResult> chains;
  std::vector<SelectCase> select_cases;
  std::vector<ChannelRecord> channels;
  std::vector<Comparison> comparisons;
  std::vector<StoreOrder> coherence;  // of a run under a weak memory model

 private:
  bool consistent() const;
  void make_consistent();

  mutable std::unique_ptr<Relations> relations_;
  mutable bool stale_ = true;  // relations_ belongs to an earlier run in this slot
};

}  // namespace heddle::mutator
