// A corpus of execution graphs: one run for each graph, drawn by energy (docs/design/weak-memory.md#changing-a-graph).
//
// The energy of a graph is 1 / (seen * (1 + chosen)): how many runs had it, and how often it was drawn. A draw that led to a new graph does not
// count. Graphs stay in the corpus: in programs whose choices depend on one another, like the rungs of a ladder, prefixes that are used once
// run out.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "mutator/graph/weighted_draw.h"
#include "mutator/knowledge/known_run.h"
#include "mutator/knowledge/seen.h"
#include "mutator/rng.h"
#include "schema/graph_key.h"
#include "schema/schedule.h"

namespace heddle::mutator {

class GraphCorpus {
 public:
  // `memory_limit`: bytes, for the runs. Beyond it, those go that were drawn most often without a new graph.
  explicit GraphCorpus(size_t memory_limit) : memory_limit_(memory_limit) {}

  // The graph of a run under a weak memory model. Complete and blocked runs never have the same key.
  GraphKey key_of(const KnownRun& run);
  // One more run has this graph. False: no run of late has had it, even one that is no longer kept.
  bool seen(const GraphKey& key);
  // The first run with a graph that is not kept. REQUIRES: seen(key) has just returned false.
  void add(const GraphKey& key, const KnownRun& run, Schedule schedule);

  size_t size() const { return slots_.size(); }
  // Draws a graph. Null: there is none. Valid until the next add().
  struct Kept {
    KnownRun run;
    Schedule schedule;  // that has made it
    GraphKey key;
    uint32_t seen = 1, chosen = 0;
  };
  const Kept* draw(Rng& rng);
  // A change of the graph with this key has led to a new one.
  void give_back(const GraphKey& key);

 private:
  struct KeyHash {
    size_t operator()(const GraphKey& k) const { return k.low; }
  };
  void weigh(size_t slot);
  void make_room();

  size_t memory_limit_, bytes_ = 0;
  std::vector<std::unique_ptr<Kept>> slots_;
  std::unordered_map<GraphKey, size_t, KeyHash> slot_of_;
  WeightedDraw draw_;
  std::unique_ptr<CountTable<1 << 20>> known_ = std::make_unique<CountTable<1 << 20>>();  // by key
  std::vector<uint64_t> words_;  // for key_of()
};

}  // namespace heddle::mutator
