// Operations that are no events of the execution graph, because nothing may be chosen there.
#include <gtest/gtest.h>

#include <semaphore.h>

#include "controlled_run.h"
#include "graph/execution_graph.h"
#include "primitives/atomic.h"
#include "primitives/semaphore.h"

namespace heddle::test {
namespace {

namespace models = rt::primitives;

sem_t g_semaphore;
uint32_t g_flag;

// What main has executed of the graph after `body`.
template <typename Body>
uint32_t events_of_main(Body body) {
  Schedule schedule;
  schedule.memory_model = MemoryModel::rc11;
  uint32_t events = 0;
  const Result run = test::run(schedule, [&] {
    sem_init(&g_semaphore, 0, 1);
    g_flag = 0;
    body();
    events = rt::graph::execution_graph().events_of(rt::current_thread()->index);
  });
  EXPECT_TRUE(run.finished());
  return events;
}

TEST(NoEvent, TheValueOfASemaphore) {
  EXPECT_EQ(events_of_main([] {
              int value = 0;
              models::semaphore_value(&g_semaphore, &value, HEDDLE_HERE);
              EXPECT_EQ(value, 1);
            }),
            0u);
}

// The twin: a load of an atomic is one.
TEST(NoEvent, ALoadIsAnEvent) {
  EXPECT_EQ(events_of_main([] { models::atomic_load(&g_flag, __ATOMIC_RELAXED, HEDDLE_HERE); }), 1u);
}

}  // namespace
}  // namespace heddle::test
