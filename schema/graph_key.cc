#include "schema/graph_key.h"

namespace heddle {
namespace {

constexpr uint64_t kInitial = 1, kForeign = 2, kSecond = 0x9E3779B97F4A7C15ull;

GraphKey folded(uint64_t a, uint64_t b) { return {mix(a, b), mix(b ^ kSecond, a)}; }

}  // namespace

GraphKeys graph_keys(const RunSummary& run, uint64_t* memory) {
  uint64_t* const position = memory;  // of each event of the graph
  uint64_t* const low = memory + run.event_count;
  uint64_t* const high = low + run.thread_count;
  uint64_t* const index = high + run.thread_count;
  for (uint32_t t = 0; t < run.thread_count; ++t) low[t] = high[t] = index[t] = 0;
  GraphKeys keys;
  uint32_t next = 0;  // of run.coherence, which is in the order of events
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    const bool stores = next < run.coherence_count && run.coherence[next].event == i;
    next += stores;
    position[i] = 0;
    if ((!stores && !is_graph_load(e)) || e.thread >= run.thread_count) continue;
    ++keys.events;
    position[i] = mix(run.threads[e.thread].id, ++index[e.thread]);
    const uint64_t source = is_plain_store(e) ? 0 : e.partner < i ? position[e.partner] : kInitial;
    const uint64_t what = static_cast<uint64_t>(e.kind) | static_cast<uint64_t>(e.order) << 8 | static_cast<uint64_t>(e.outcome) << 16;
    low[e.thread] = mix(low[e.thread], mix(what, source));
    high[e.thread] = mix(high[e.thread] ^ kSecond, mix(source, what));
  }
  // Sums over threads and over stores do not depend on the order of execution.
  uint64_t rf_low = 0, rf_high = 0, mo_low = 0, mo_high = 0;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    if (index[t] == 0) continue;
    rf_low += mix(low[t], run.threads[t].id);
    rf_high += mix(run.threads[t].id ^ kSecond, high[t]);
  }
  for (uint32_t i = 0; i < run.coherence_count; ++i) {
    const StoreOrder& s = run.coherence[i];
    if (s.event >= run.event_count) continue;
    const uint64_t after = (s.flags & kStoreBehindForeign) != 0 ? kForeign : s.after < run.event_count ? position[s.after] : kInitial;
    mo_low += mix(position[s.event], after);
    mo_high += mix(after ^ kSecond, position[s.event]);
  }
  keys.without_coherence = folded(rf_low, rf_high);
  keys.with_coherence = folded(mix(rf_low, mo_low), mix(rf_high, mo_high));
  return keys;
}

}  // namespace heddle
