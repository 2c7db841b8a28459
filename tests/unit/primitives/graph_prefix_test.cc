// A whole execution graph as a prefix makes the same graph again, with any seed: each order of execution in which sources come first does.
#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

#include "controlled_run.h"
#include "primitives/atomic.h"
#include "schema/graph_key.h"
#include "trace/recorder.h"

namespace heddle::test {
namespace {

using rt::primitives::atomic_load;
using rt::primitives::atomic_rmw;
using rt::primitives::atomic_store;

constexpr int kRlx = __ATOMIC_RELAXED, kAcq = __ATOMIC_ACQUIRE, kRel = __ATOMIC_RELEASE;
alignas(64) uint32_t g_x, g_y;

void program() {
  g_x = g_y = 0;
  std::thread a([] {
    atomic_store(&g_x, 1u, kRlx, HEDDLE_HERE);
    atomic_load(&g_y, kRlx, HEDDLE_HERE);
    atomic_store(&g_y, 2u, kRel, HEDDLE_HERE);
  });
  std::thread b([] {
    atomic_store(&g_y, 1u, kRlx, HEDDLE_HERE);
    atomic_rmw<rt::primitives::Rmw::add>(&g_x, 2u, kRlx, HEDDLE_HERE);
    atomic_load(&g_y, kRlx, HEDDLE_HERE);
  });
  std::thread c([] {
    atomic_load(&g_y, kAcq, HEDDLE_HERE);
    atomic_store(&g_x, 4u, kRlx, HEDDLE_HERE);
    atomic_load(&g_x, kRlx, HEDDLE_HERE);
  });
  a.join();
  b.join();
  c.join();
}

GraphKey key_of_run() {
  const RunSummary& run = rt::recorder().summary;
  std::vector<uint64_t> words(graph_key_words(run));
  return graph_keys(run, words.data()).with_coherence;
}

std::vector<GraphNode> nodes_of_run() {
  const RunSummary& run = rt::recorder().summary;
  std::map<uint32_t, uint32_t> below;
  for (uint32_t i = 0; i < run.coherence_count; ++i) below[run.coherence[i].event] = run.coherence[i].after;
  std::map<uint32_t, uint32_t> count, index;
  std::vector<GraphNode> nodes;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (!below.contains(i) && !is_graph_load(e)) continue;
    index[i] = ++count[e.thread];
    const uint32_t from = e.kind == Kind::atomic_store ? below[i] : e.partner;
    GraphNode n{};
    n.thread = run.threads[e.thread].id;
    n.index = index[i];
    n.site = e.site;
    n.kind = e.kind;
    n.order = static_cast<uint8_t>(e.order);
    if (from != kNoEvent) {
      n.from_thread = run.threads[run.events[from].thread].id;
      n.from_index = from;  // the event; its index follows below
    }
    nodes.push_back(n);
  }
  for (GraphNode& n : nodes) {
    if (n.from_thread != kAnyThread) n.from_index = index[n.from_index];
  }
  return nodes;
}

TEST(GraphPrefix, AWholeGraphIsMadeAgain) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Schedule schedule;
    schedule.seed = seed;
    schedule.memory_model = MemoryModel::rc11;
    ASSERT_TRUE(run(schedule, program).finished());
    const GraphKey wanted = key_of_run();
    schedule.graph = nodes_of_run();
    ASSERT_EQ(schedule.graph.size(), 9u);
    for (uint64_t other = 1; other <= 5; ++other) {
      schedule.seed = 1000 * seed + other;
      ASSERT_TRUE(run(schedule, program).finished());
      ASSERT_EQ(key_of_run(), wanted) << "seeds " << seed << " and " << schedule.seed;
    }
  }
}

TEST(GraphPrefix, WhatDoesNotFitIsDropped) {
  Schedule schedule;
  schedule.memory_model = MemoryModel::rc11;
  run(schedule, program);
  const std::vector<GraphNode> whole = nodes_of_run();
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    schedule.seed = seed;
    schedule.graph = whole;
    for (uint64_t i = 0; i < 4; ++i) {
      GraphNode& n = schedule.graph[mix(seed, i) % whole.size()];
      const GraphNode& other = whole[mix(seed, i + 10) % whole.size()];
      switch (mix(seed, i + 20) % 6) {
        case 0: n.from_index = 0; break;
        case 1: n.from_thread = other.thread, n.from_index = other.index; break;  // perhaps a cycle, or no store
        case 2: n.thread = kAnyThread; break;
        case 3: n.index += 1; break;  // perhaps two for one event, or none
        case 4: n.kind = other.kind; break;
        default: n.site = 77; break;
      }
    }
    ASSERT_TRUE(run(schedule, program).finished()) << seed;
  }
}

}  // namespace
}  // namespace heddle::test
