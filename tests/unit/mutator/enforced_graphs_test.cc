// The mode `execution-graphs` against the runtime: all graphs of small programs come, and what a prefix asks for is done.
#include <gtest/gtest.h>

#include <pthread.h>

#include <set>

#include "controlled_run.h"
#include "mutator/modes/mode.h"
#include "primitives/atomic.h"
#include "schema/codec.h"
#include "schema/graph_key.h"
#include "mutator/graph/run_graph.h"
#include "trace/recorder.h"

namespace heddle::mutator {
namespace {

namespace atomics = rt::primitives;
constexpr int kRlx = __ATOMIC_RELAXED;

alignas(64) uint32_t g_x, g_y;

template <uint32_t i>
void* step(void*) {
  // Its order when it fails is another one, which a prefix must not mind.
  atomics::atomic_cas(&g_x, i, i + 1, __ATOMIC_ACQ_REL, kRlx, false, HEDDLE_HERE);
  return nullptr;
}

// Thread i changes x from i to i + 1: long chains of successes are rare in a walk.
void ladder() {
  g_x = 0;
  void* (*const steps[])(void*) = {step<0>, step<1>, step<2>, step<3>, step<4>};
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i) pthread_create(&threads[i], nullptr, steps[i], nullptr);
  for (const pthread_t t : threads) pthread_join(t, nullptr);
}

// Each thread stores to both: modification order is what differs.
void* up(void*) {
  atomics::atomic_store(&g_x, 1u, kRlx, HEDDLE_HERE);
  atomics::atomic_store(&g_y, 2u, kRlx, HEDDLE_HERE);
  return nullptr;
}
void* down(void*) {
  atomics::atomic_store(&g_y, 1u, kRlx, HEDDLE_HERE);
  atomics::atomic_store(&g_x, 2u, kRlx, HEDDLE_HERE);
  return nullptr;
}
void both_ways() {
  g_x = g_y = 0;
  pthread_t a, b;
  pthread_create(&a, nullptr, up, nullptr);
  pthread_create(&b, nullptr, down, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

// Did each read of the prefix read what the prefix says?
bool realised(const Schedule& schedule, const RunSummary& summary) {
  KnownRun run;
  run.assign(summary);
  const RunGraph graph(run);
  const auto name = [&](uint32_t g) {
    return g == kInitialStore ? std::pair<ThreadId, uint32_t>{0, 0} : std::pair{run.threads[graph.event(g).thread].id, graph.events()[g].index};
  };
  uint32_t found = 0;
  for (const GraphNode& n : schedule.graph) {
    for (uint32_t g = 0; g < graph.events().size(); ++g) {
      if (name(g) != std::pair{n.thread, n.index}) continue;
      if (graph.events()[g].reads && name(graph.events()[g].source) != std::pair{n.from_thread, n.from_index}) return false;
      ++found;
    }
  }
  return found == schedule.graph.size();
}

// Three reads, each only if the one before had its value, beside two increments. By hand: the first read stops the thread with 1 or 2; after 0,
// the second stops it with 0 or 2; after 0 and 1, the third reads 1 or 2. Six graphs.
void* nested(void*) {
  if (atomics::atomic_load(&g_x, __ATOMIC_SEQ_CST, HEDDLE_HERE) != 0) return nullptr;
  if (atomics::atomic_load(&g_x, __ATOMIC_SEQ_CST, HEDDLE_HERE) != 1) return nullptr;
  atomics::atomic_load(&g_x, __ATOMIC_SEQ_CST, HEDDLE_HERE);
  return nullptr;
}
void* increments(void*) {
  for (int i = 0; i < 2; ++i) atomics::atomic_rmw<atomics::Rmw::add>(&g_x, 1u, __ATOMIC_SEQ_CST, HEDDLE_HERE);
  return nullptr;
}
void branches() {
  g_x = 0;
  pthread_t a, b;
  pthread_create(&a, nullptr, nested, nullptr);
  pthread_create(&b, nullptr, increments, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

struct Campaign {
  std::set<uint64_t> graphs;
  uint64_t prefixes = 0, unrealised = 0;
  std::string statistics, moves;

  Campaign(void (*body)(), int runs) {
    Mutator m;
    EXPECT_TRUE(m.set_mode("execution-graphs"));
    std::vector<uint8_t> input(4096);
    size_t size = 0;
    std::vector<uint64_t> words;
    for (int i = 0; i < runs; ++i) {
      input.resize(4096);
      size = m.mutate(input.data(), size, input.size(), static_cast<uint32_t>(i));
      input.resize(size);
      Schedule schedule;
      EXPECT_TRUE(decode_schedule(input, schedule));
      EXPECT_EQ(schedule.memory_model, MemoryModel::rc11);
      test::run(schedule, body);
      RunSummary run = rt::recorder().summary;
      run.input_hash = hash_input(input);
      words.resize(std::max<size_t>(words.size(), graph_key_words(run)));
      graphs.insert(graph_keys(run, words.data()).with_coherence.low);
      moves = m.last_operators();
      if (!schedule.graph.empty()) {
        ++prefixes;
        unrealised += !realised(schedule, run);
      }
      m.learn(run, input);
    }
    statistics = m.statistics();
  }
};

// The count of the literature for five threads.
TEST(ExecutionGraphs, ReachesAllGraphsOfALadder) {
  const Campaign c(ladder, 1000);
  EXPECT_EQ(c.graphs.size(), 43u);
  EXPECT_GT(c.prefixes, 500u);
  EXPECT_EQ(c.unrealised, 0u);
  EXPECT_NE(c.statistics.find("43 graphs kept"), std::string::npos) << c.statistics;
  EXPECT_TRUE(c.moves == "graph-change" || c.moves == "graph-free") << c.moves;
}

TEST(ExecutionGraphs, ReachesAllModificationOrders) {
  const Campaign c(both_ways, 300);
  EXPECT_EQ(c.graphs.size(), 4u);
}

TEST(ExecutionGraphs, ReachesWhatIsBehindBranches) {
  const Campaign c(branches, 200);
  EXPECT_EQ(c.graphs.size(), 6u);
}

}  // namespace
}  // namespace heddle::mutator
