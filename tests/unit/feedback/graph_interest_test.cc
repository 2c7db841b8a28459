#include "feedback/graph_interest.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "schema/coherence.h"
#include "tests/unit/analyses/run_builder.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;
using Features = std::map<uint16_t, uint8_t>;

// Two stores at the lines 10 and 11, and a load at line 20.
struct GraphRun {
  RunBuilder b;
  uint32_t one = b.thread(0, 1), other = b.thread(0, 2), x = b.object();
  uint32_t old = b.op(one, Kind::atomic_store, x, 10), newest = b.op(one, Kind::atomic_store, x, 11);
  uint32_t load = b.op(other, Kind::atomic_load, x, 20);
  std::vector<Event> events;
  std::vector<StoreOrder> coherence{{old, kNoEvent, 0}, {newest, old, 0}};

  Features features(uint32_t partner, bool stale) {
    RunSummary run = b.run();
    events.assign(run.events, run.events + run.event_count);
    events[load].partner = partner;
    events[load].flags = stale ? kEventStale : 0;
    run.events = events.data();
    run.coherence = coherence.data();
    run.coherence_count = static_cast<uint32_t>(coherence.size());
    static auto collector = std::make_unique<Collector>();
    static Feature out[Collector::kMaxTouched];
    collector->begin();
    collect_graph_features(run, *collector);
    bool novel;
    const uint32_t n = collector->select(Collector::kMaxTouched, out, novel);
    Features result;
    for (uint32_t i = 0; i < n; ++i) result[out[i].counter] = out[i].value;
    return result;
  }
};

TEST(GraphInterest, StaleReadsByTheirTwoPlaces) {
  GraphRun r;
  EXPECT_TRUE(r.features(r.newest, false).empty());
  const Features stale = r.features(r.old, true), initial = r.features(kNoEvent, true);
  EXPECT_EQ(stale.size(), 1u);
  EXPECT_EQ(initial.size(), 1u);
  EXPECT_NE(stale, initial);
  EXPECT_EQ(r.features(r.old, true), stale);
}

TEST(GraphInterest, OvertakenStores) {
  GraphRun r;
  r.coherence = {{r.old, r.newest, 0}, {r.newest, kNoEvent, 0}};
  EXPECT_EQ(r.features(r.newest, false).size(), 1u);
}

}  // namespace
}  // namespace heddle::rt
