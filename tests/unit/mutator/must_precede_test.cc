// Relations::must_precede against the clocks of the must relation, over random runs.
#include <gtest/gtest.h>

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
    KnownRun run;
    run.assign(simulated.trace.summary());
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
