// The graph of a run, and the prefixes that are cut out of it, on runs made by hand and on random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "mutator/graph/cut.h"
#include "weak_parent.h"

namespace heddle::mutator {
namespace {

using Name = std::pair<ThreadId, uint32_t>;
Name name_of(const GraphNode& n) { return {n.thread, n.index}; }
Name from_of(const GraphNode& n) { return {n.from_thread, n.from_index}; }
Name name(uint32_t thread, uint32_t index) { return {Parent::id(thread), index}; }
constexpr Name kInitial{0, 0};

std::vector<Name> names(const std::vector<GraphNode>& nodes) {
  std::vector<Name> out;
  for (const GraphNode& n : nodes) out.push_back(name_of(n));
  return out;
}

// x is 1, y is 2. Thread 1: x = 1, y = 1. Thread 2 reads y, then x. Thread 3 has nothing to do with either.
struct Message : WeakParent {
  uint32_t data = store(1, 1), flag = store(1, 2), other = store(3, 3), read_flag = load(2, 2, flag), read_data = load(2, 1, data);
};

TEST(RunGraph, HasTheEventsAndTheirSources) {
  Message m;
  const Known run(m);
  const RunGraph graph(run);
  ASSERT_EQ(graph.events().size(), 5u);
  EXPECT_EQ(graph.events()[1].index, 2u);
  EXPECT_EQ(graph.events()[3].index, 1u);
  EXPECT_EQ(graph.events()[3].source, 1u);
  EXPECT_EQ(graph.events()[0].source, kInitialStore);
  EXPECT_EQ(graph.after(1), (std::vector<bool>{false, true, false, true, true}));
  EXPECT_EQ(graph.up_to(3), (std::vector<bool>{true, true, false, true, false}));
  EXPECT_EQ(graph.other_sources(4), (std::vector<uint32_t>{kInitialStore}));
}

// Fences, failed semaphore looks and unfinished operations are no events of the graph. A failing compare-and-swap is a load.
TEST(RunGraph, CountsGraphEventsOnly) {
  WeakParent p;
  p.add(1, 10, Kind::atomic_fence, 0);
  p.add(1, 11, Kind::atomic_cas, 1, Outcome::failure);
  p.add(1, 12, Kind::atomic_load, 2).flags = kEventRecursive;
  p.blocked(1, 13, Kind::atomic_load, 1);
  const Known run(p);
  const RunGraph graph(run);
  ASSERT_EQ(graph.events().size(), 1u);
  EXPECT_EQ(graph.event(0).kind, Kind::atomic_cas);
  EXPECT_FALSE(graph.events()[0].writes);
}

// Creation, join and locks order as program order does.
TEST(RunGraph, ThreadsAndLocksOrder) {
  WeakParent p;
  p.add(0, 1, Kind::thread_create, 5);
  const uint32_t first = p.store(1, 1);
  p.threads[1].create_event = 0;
  p.add(1, 2, Kind::mutex_unlock, 6);
  p.add(2, 3, Kind::mutex_lock, 6).partner = 2;
  const uint32_t second = p.load(2, 1, kNoEvent);
  p.add(1, 4, Kind::thread_exit, 7);
  p.add(3, 5, Kind::thread_join, 7);
  const uint32_t third = p.load(3, 1, kNoEvent);
  const Known run(p);
  const RunGraph graph(run);
  EXPECT_TRUE(first < second && second < third);
  EXPECT_EQ(graph.after(0), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(graph.up_to(2), (std::vector<bool>{true, false, true}));
}

TEST(CutGraph, KeepsWhatTheCutSays) {
  Message m;
  const Known run(m);
  const RunGraph graph(run);
  for (const Cut cut : {Cut::maximal, Cut::revisit}) {
    EXPECT_EQ(names(cut_graph(graph, 3, kInitialStore, cut)), (std::vector<Name>{name(1, 1), name(1, 2), name(3, 1), name(2, 1)}));
  }
  const std::vector<GraphNode> least = cut_graph(graph, 3, kInitialStore, Cut::minimal);
  EXPECT_EQ(names(least), (std::vector<Name>{name(2, 1)}));  // it no longer needs the store that it read
  EXPECT_EQ(from_of(least.back()), kInitial);
}

// The new source came later than the read, so the read must wait for it.
TEST(CutGraph, TakesALaterStore) {
  WeakParent p;
  p.load(1, 1, kNoEvent);
  p.load(3, 2, kNoEvent);
  p.store(2, 1);
  const Known run(p);
  const RunGraph graph(run);
  EXPECT_EQ(graph.other_sources(0), (std::vector<uint32_t>{2}));
  EXPECT_EQ(names(cut_graph(graph, 0, 2, Cut::revisit)), (std::vector<Name>{name(2, 1), name(1, 1)}));
  EXPECT_EQ(names(cut_graph(graph, 0, 2, Cut::maximal)), (std::vector<Name>{name(3, 1), name(2, 1), name(1, 1)}));
}

// A store that moves goes between two others, so the upper one is now behind it.
TEST(CutGraph, MovesAStore) {
  WeakParent p;
  p.store(1, 1);
  p.store(2, 1);
  const Known run(p);
  const RunGraph graph(run);
  const std::vector<GraphNode> nodes = cut_graph(graph, 1, kInitialStore, Cut::maximal);
  ASSERT_EQ(names(nodes), (std::vector<Name>{name(1, 1), name(2, 1)}));
  EXPECT_EQ(from_of(nodes[0]), name(2, 1));
  EXPECT_EQ(from_of(nodes[1]), kInitial);
}

TEST(CutGraph, LeavesOutWhoHadTheSlot) {
  WeakParent p;
  const uint32_t first = p.update(1, 1, kNoEvent);
  p.load(3, 1, first);
  p.update(2, 1, first);
  const Known run(p);
  const RunGraph graph(run);
  for (const Cut cut : {Cut::maximal, Cut::revisit, Cut::minimal}) {
    EXPECT_EQ(names(cut_graph(graph, 2, kInitialStore, cut)), (std::vector<Name>{name(2, 1)}));
  }
}

// The slot is held by what the event needs: no such graph.
TEST(CutGraph, GivesNothingIfTheEventNeedsTheOneWithTheSlot) {
  WeakParent p;
  const uint32_t first = p.update(1, 1, kNoEvent);
  p.update(1, 1, first);
  const Known run(p);
  const RunGraph graph(run);
  EXPECT_TRUE(cut_graph(graph, 1, kInitialStore, Cut::maximal).empty());
}

WeakParent random_parent(Rng& rng) {
  WeakParent p;
  const uint32_t threads = 2 + rng.below(3), objects = 1 + rng.below(3);
  for (uint32_t n = 4 + rng.below(20); n > 0; --n) {
    const uint32_t thread = 1 + rng.below(threads), object = 1 + rng.below(objects);
    const std::vector<uint32_t>& stores = p.mo[object];
    const uint32_t k = rng.below(static_cast<uint32_t>(stores.size()) + 1);
    const uint32_t from = k == 0 ? kNoEvent : stores[k - 1];
    // Above `from` may be a read-modify-write that has read it: nothing goes in between.
    const bool taken = k < stores.size() && p.events[stores[k]].kind == Kind::atomic_rmw;
    switch (rng.below(3)) {
      case 0: p.load(thread, object, from); break;
      case 1: taken ? p.store(thread, object) : p.store_behind(thread, object, from); break;
      default: taken ? p.load(thread, object, from) : p.update(thread, object, from); break;
    }
  }
  return p;
}

// Whatever is cut: sources are there, and come first for reads; a thread's events are its first ones; the stores of a location are one
// line, with no two behind one store.
TEST(CutGraph, PrefixesOfRandomRunsAreClosed) {
  Rng rng(7);
  size_t cuts = 0, nothing = 0;
  for (int runs = 0; runs < 1500; ++runs) {
    const WeakParent parent = random_parent(rng);
    const Known run(parent);
    const RunGraph graph(run);
    ASSERT_EQ(graph.events().size(), parent.events.size());
    for (uint32_t g = 0; g < graph.events().size(); ++g) {
      for (const uint32_t source : graph.other_sources(g)) {
        size_t sizes[kCutCount];
        for (int c = 0; c < kCutCount; ++c) {
          const std::vector<GraphNode> nodes = cut_graph(graph, g, source, static_cast<Cut>(c));
          sizes[c] = nodes.size();
          ++cuts;
          if (nodes.empty()) {
            ++nothing;
            continue;
          }
          ASSERT_EQ(name_of(nodes.back()), name(graph.event(g).thread, graph.events()[g].index));
          std::set<Name> all, done;
          std::map<ThreadId, uint32_t> last;
          std::set<std::pair<uint32_t, Name>> behind;
          for (const GraphNode& n : nodes) ASSERT_TRUE(all.insert(name_of(n)).second);
          for (const GraphNode& n : nodes) {
            ASSERT_EQ(n.index, ++last[n.thread]);
            const uint32_t object = parent.events[static_cast<size_t>(n.site - 100)].object;
            if (from_of(n) != kInitial) {
              ASSERT_TRUE(all.contains(from_of(n)));
              ASSERT_TRUE(n.kind == Kind::atomic_store || done.contains(from_of(n)));
            }
            if (n.kind != Kind::atomic_load) ASSERT_TRUE(behind.insert({object, from_of(n)}).second);
            done.insert(name_of(n));
          }
        }
        ASSERT_GE(sizes[0], sizes[1]);
        ASSERT_GE(sizes[1], sizes[2]);
      }
    }
  }
  EXPECT_GT(cuts, 100'000u);
  EXPECT_LT(nothing * 2, cuts);
}

}  // namespace
}  // namespace heddle::mutator
