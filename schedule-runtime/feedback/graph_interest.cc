#include "feedback/graph_interest.h"

#include "schema/coherence.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kStaleRead = 0x5354414C, kOvertaken = 0x4F564552;

SiteId site_of(const RunSummary& run, uint32_t event) { return event < run.event_count ? run.events[event].site : kNoSite; }

}  // namespace

void collect_graph_features(const RunSummary& run, Collector& collector) {
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (!is_stale(e) || is_plain_store(e)) continue;
    collector.add_hashed(mix(mix(site_of(run, e.partner) ^ kStaleRead, e.site), static_cast<uint64_t>(e.kind) << 8 | static_cast<uint8_t>(e.outcome)),
                         Interest::pair);
  }
  // A store, and the newer one that was executed before it. The record of the newer one names what is right below it.
  for (uint32_t i = 0; i < run.coherence_count; ++i) {
    const StoreOrder& newer = run.coherence[i];
    if (newer.after == kNoEvent || newer.after < newer.event) continue;
    collector.add_hashed(mix(site_of(run, newer.after) ^ kOvertaken, site_of(run, newer.event)), Interest::pair);
  }
}

}  // namespace heddle::rt
