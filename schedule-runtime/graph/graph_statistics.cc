#include "graph/graph_statistics.h"

#include "schema/graph_key.h"
#include "trace/recorder.h"

namespace heddle::rt::graph {

constinit GraphStatistics g_graph_statistics;

void GraphStatistics::count(const RunSummary& run, bool prefix, bool unrealised) {
  if (runs_++ == 0) {
    words_.reserve(Recorder::kMaxEvents + 3 * Recorder::kMaxThreads);
    graphs_.initialise(12);
    reads_from_.initialise(12);
  }
  prefixes_ += prefix;
  unrealised_ += prefix && unrealised;
  bounded_ += (run.flags & kRunBounded) != 0;
  by_views_ += (run.flags & kRunByViews) != 0;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    if (run.threads[t].state == static_cast<uint8_t>(ThreadEnd::finished)) continue;
    ++blocked_;
    return;
  }
  const GraphKeys keys = graph_keys(run, words_.data());
  bool inserted;
  graphs_.find_or_insert(keys.with_coherence.low | 1, inserted);
  reads_from_.find_or_insert(keys.without_coherence.low | 1, inserted);
}

}  // namespace heddle::rt::graph
