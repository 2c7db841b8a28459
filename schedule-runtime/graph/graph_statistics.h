// How many different execution graphs the runs of this process had. For HEDDLE_OPTIONS=stats=1.
#pragma once

#include "base/address_map.h"
#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt::graph {

class GraphStatistics {
 public:
  struct Figures {
    uint64_t runs, graphs, reads_from;  // runs under a weak model; distinct (po, rf, mo) and (po, rf) of those that are complete
    uint64_t blocked, bounded, by_views;
    uint64_t prefixes, unrealised;      // runs with a prefix; those of which a node was dropped or its source was not admissible
  };
  void count(const RunSummary& run, bool prefix, bool unrealised);
  Figures figures() const { return {runs_, graphs_.size(), reads_from_.size(), blocked_, bounded_, by_views_, prefixes_, unrealised_}; }

 private:
  ReservedArray<uint64_t> words_;
  AddressMap graphs_, reads_from_;
  uint64_t runs_ = 0, blocked_ = 0, bounded_ = 0, by_views_ = 0, prefixes_ = 0, unrealised_ = 0;
};

extern GraphStatistics g_graph_statistics;
inline GraphStatistics& graph_statistics() { return g_graph_statistics; }

}  // namespace heddle::rt::graph
