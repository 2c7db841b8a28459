#include "feedback/graph_interest.h"

#include <gtest/gtest.h>

#include <vector>

#include "schema/coherence.h"
#include "tests/unit/analyses/run_builder.h"
#include "tests/unit/feedback/features_of.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

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
    return features_of([&](Collector& collector) { collect_graph_features(run, collector); });
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
