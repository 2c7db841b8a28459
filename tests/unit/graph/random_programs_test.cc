// The runtime's graphs of random straight-line programs, against the axioms: no run is ever inconsistent, and each consistent graph occurs.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "axioms.h"
#include "controlled_run.h"
#include "graph/execution_graph.h"
#include "primitives/atomic.h"
#include "schema/coherence.h"
#include "trace/recorder.h"

namespace heddle::axioms {
namespace {

namespace atomics = rt::primitives;

alignas(64) uint32_t g_cells[3][16];  // a line each

int order_of(Order o) {
  constexpr int kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
  return kOrders[static_cast<int>(o)];
}

void interpret(const std::vector<Instruction>& thread) {
  for (const Instruction& i : thread) {
    uint32_t* const cell = &g_cells[i.location][0];
    const int order = order_of(i.order);
    switch (i.act) {
      case Act::load: atomics::atomic_load(cell, order, HEDDLE_HERE); break;
      case Act::store: atomics::atomic_store(cell, i.operand, order, HEDDLE_HERE); break;
      case Act::add: atomics::atomic_rmw<atomics::Rmw::add>(cell, i.operand, order, HEDDLE_HERE); break;
      case Act::exchange: atomics::atomic_rmw<atomics::Rmw::exchange>(cell, i.operand, order, HEDDLE_HERE); break;
      case Act::compare: atomics::atomic_cas(cell, i.expected, i.operand, order, order_of(i.failure), false, HEDDLE_HERE); break;
      case Act::fence: atomics::atomic_fence(order, HEDDLE_HERE); break;
    }
  }
}

bool is_instruction(Kind k) {
  return k == Kind::atomic_load || k == Kind::atomic_store || k == Kind::atomic_rmw || k == Kind::atomic_cas || k == Kind::atomic_fence;
}

struct Executed {
  bool whole = false;  // every instruction left one event
  Graph graph;
};

Executed execute(const Program& program, uint64_t seed, MemoryModel model) {
  Schedule schedule;
  schedule.seed = seed;
  schedule.memory_model = model;
  schedule.strategy = StrategyId::random_walk;
  const test::Result run = test::run(schedule, [&] {
    for (auto& line : g_cells) line[0] = 0;
    std::vector<std::thread> running;
    for (const auto& thread : program) running.emplace_back([&thread] { interpret(thread); });
    for (std::thread& t : running) t.join();
  });
  const RunSummary& summary = rt::recorder().summary;
  Executed out;
  out.graph.mo.resize(3);
  std::vector<int> place(run.events.size(), kInitial);
  std::vector<uint32_t> executed(program.size(), 0);
  for (size_t i = 0; i < run.events.size(); ++i) {
    const heddle::Event& e = run.events[i];
    if (e.thread == 0 || !is_instruction(e.kind) || !e.finished()) continue;
    const uint32_t t = e.thread - 1, index = executed[t]++;
    const Instruction& instruction = program[t][index];
    Event event{t, index};
    event.location = instruction.location;
    event.reads = e.kind == Kind::atomic_load || e.kind == Kind::atomic_rmw || e.kind == Kind::atomic_cas;
    event.writes = e.kind == Kind::atomic_store || e.kind == Kind::atomic_rmw || (e.kind == Kind::atomic_cas && e.outcome == Outcome::success);
    event.order = e.kind == Kind::atomic_cas && !event.writes ? instruction.failure : instruction.order;
    if (event.reads && e.partner != kNoEvent) event.from = place[e.partner];
    place[i] = static_cast<int>(out.graph.events.size());
    out.graph.events.push_back(event);
    if (model == MemoryModel::sc && event.writes) out.graph.mo[event.location].push_back(place[i]);
  }
  // Follow the modification order from the initial value.
  for (uint32_t location = 0; location < 3 && model != MemoryModel::sc; ++location) {
    uint32_t last = kNoEvent;
    for (bool found = true; found;) {
      found = false;
      for (uint32_t k = 0; k < summary.coherence_count && !found; ++k) {
        const StoreOrder& s = summary.coherence[k];
        if (s.after != last || place[s.event] == kInitial || out.graph.events[static_cast<size_t>(place[s.event])].location != location) continue;
        out.graph.mo[location].push_back(place[s.event]);
        last = s.event;
        found = true;
      }
    }
  }
  size_t stores = 0, listed = 0;
  for (const Event& e : out.graph.events) stores += e.writes;
  for (const auto& list : out.graph.mo) listed += list.size();
  out.whole = run.finished() && stores == listed;
  for (size_t t = 0; t < program.size(); ++t) out.whole &= executed[t] == program[t].size();
  return out;
}

// 2 to 4 threads, 1 to 3 locations, at most 8 instructions.
Program random_program(std::mt19937_64& random, bool with_seq_cst) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const uint32_t threads = 2 + below(3), locations = 1 + below(3);
  Program program(threads);
  const uint32_t count = threads + below(9 - threads);
  for (uint32_t n = 0; n < count; ++n) {
    Instruction i;
    i.act = static_cast<Act>(below(6));
    i.location = below(locations);
    i.operand = 1 + below(3);
    i.expected = below(3);
    const Order any = static_cast<Order>(below(with_seq_cst ? 5 : 4));
    i.order = any;
    if (i.act == Act::load && (any == Order::release || any == Order::acq_rel)) i.order = Order::acquire;
    if (i.act == Act::store && (any == Order::acquire || any == Order::acq_rel)) i.order = Order::release;
    if (i.act == Act::fence && any == Order::relaxed) i.order = Order::acq_rel;
    constexpr Order kFailures[] = {Order::relaxed, Order::acquire, Order::seq_cst};
    i.failure = kFailures[below(with_seq_cst ? 3 : 2)];
    program[n % threads].push_back(i);
  }
  return program;
}

std::string text_of(const Program& program) {
  std::string text;
  for (size_t t = 0; t < program.size(); ++t) {
    text += "thread " + std::to_string(t) + ":";
    for (const Instruction& i : program[t]) {
      constexpr const char* kActs[] = {"load", "store", "add", "exchange", "compare", "fence"};
      constexpr const char* kOrders[] = {"rlx", "acq", "rel", "acq_rel", "sc"};
      text += std::string(" ") + kActs[static_cast<int>(i.act)] + " x" + std::to_string(i.location) + " " + kOrders[static_cast<int>(i.order)] + " " +
              std::to_string(i.operand) + " if " + std::to_string(i.expected) + " else " + kOrders[static_cast<int>(i.failure)] + ";";
    }
    text += "\n";
  }
  return text;
}

class RandomPrograms : public testing::Test {
 protected:
  // All operations of a thread are at few sites, so repetition says nothing about what it learns.
  void SetUp() override { rt::graph::execution_graph().visibility().switch_off(true); }
  void TearDown() override { rt::graph::execution_graph().visibility().switch_off(false); }

  static constexpr size_t kMostGraphs = 48;
  static constexpr int kRunsWithoutNews = 400'000;  // the rarest come once in tens of thousands

  struct Counts {
    size_t programs = 0, graphs = 0, missed = 0;
    std::string of;  // the programs with a missed graph
  };

  // Runs `programs` random programs until nothing new comes.
  Counts compare(uint64_t seed, size_t programs, bool with_seq_cst, Model model) {
    std::mt19937_64 random(seed);
    Counts counts;
    while (counts.programs < programs && !HasFatalFailure()) {
      const Program program = random_program(random, with_seq_cst);
      const std::set<std::string> wanted = all_graphs(program, model, kMostGraphs);
      if (wanted.empty()) continue;  // too many to come by chance
      ++counts.programs;
      counts.graphs += wanted.size();
      search(program, wanted, model, counts);
    }
    return counts;
  }

 private:
  void search(const Program& program, const std::set<std::string>& wanted, Model model, Counts& counts) {
    std::set<std::string> seen;
    int since = 0;
    for (uint64_t run = 1; seen.size() < wanted.size() && since < kRunsWithoutNews; ++run, ++since) {
      const Executed executed = execute(program, run, model == Model::sc ? MemoryModel::sc : MemoryModel::rc11);
      ASSERT_TRUE(executed.whole) << text_of(program) << "seed " << run;
      ASSERT_EQ(broken_axiom(executed.graph, model), "") << text_of(program) << "seed " << run << ": " << key_of(executed.graph);
      const std::string key = key_of(executed.graph);
      ASSERT_TRUE(wanted.contains(key)) << text_of(program) << "seed " << run << ": " << key;
      if (seen.insert(key).second) since = 0;
    }
    counts.missed += wanted.size() - seen.size();
    if (seen.size() < wanted.size()) counts.of += std::to_string(seen.size()) + " of " + std::to_string(wanted.size()) + "\n" + text_of(program);
  }
};

TEST_F(RandomPrograms, WithoutSeqCstEachGraphOccurs) {
  const Counts c = compare(1, 400, false, Model::rc11);
  EXPECT_EQ(c.missed, 0u) << "of " << c.graphs << ":\n" << c.of;
}

TEST_F(RandomPrograms, WithSeqCstEachGraphOccurs) {
  const Counts c = compare(2, 400, true, Model::rc11);
  EXPECT_EQ(c.missed, 0u) << "of " << c.graphs << ":\n" << c.of;
}

TEST_F(RandomPrograms, UnderSequentialConsistencyEachGraphOccurs) {
  const Counts c = compare(3, 200, true, Model::sc);
  EXPECT_EQ(c.missed, 0u) << "of " << c.graphs << ":\n" << c.of;
}

}  // namespace
}  // namespace heddle::axioms
