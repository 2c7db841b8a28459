// Relations::must_precede against the clocks of the must relation, over random runs.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "mutator/knowledge/relations.h"
#include "order/owned_memory.h"
#include "order/run_order.h"
#include "tests/unit/order/simulation.h"

namespace heddle::mutator {
namespace {

TEST(MustPrecede, IsWhatTheClocksSay) {
  uint64_t ordered = 0, free = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    const SimulatedRun simulated = simulate(seed, false, true);
    RunSummary summary = simulated.trace.summary();
    const std::vector<ObjectRecord> objects(1000);
    summary.objects = objects.data();
    summary.object_count = static_cast<uint32_t>(objects.size());
    // The runtime's records say who created a thread.
    std::vector<ThreadRecord> threads = simulated.trace.threads;
    std::map<uint32_t, uint32_t> creation;
    for (uint32_t i = 0; i < summary.event_count; ++i) {
      const Event& e = summary.events[i];
      if (e.kind == Kind::thread_create) creation[e.object] = i;
      if (e.kind == Kind::thread_start && creation.contains(e.object)) threads[e.thread].create_event = creation[e.object];
    }
    summary.threads = threads.data();
    KnownRun run;
    run.assign(summary);
    const Relations& relations = run.relations();
    order::OwnedMemory memory;
    const order::RunOrder must(run.summary(), order::Relation::must, memory.memory());
    for (uint32_t a = 0; a < run.events.size(); ++a) {
      for (uint32_t b = 0; b < run.events.size(); ++b) {
        if (a == b || run.events[a].thread == run.events[b].thread) continue;
        ASSERT_EQ(relations.must_precede(a, b), must.precedes(a, b)) << "run " << seed << ", events " << a << " and " << b;
        ++(must.precedes(a, b) ? ordered : free);
      }
    }
  }
  EXPECT_GT(ordered, 10'000u);
  EXPECT_GT(free, 10'000u);
}

}  // namespace
}  // namespace heddle::mutator
