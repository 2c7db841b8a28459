// The oracle against counts that are known: from the literature, GenMC, and by hand.
#include <gtest/gtest.h>

#include "axioms.h"

namespace heddle::axioms {
namespace {

constexpr Order kRlx = Order::relaxed, kAcq = Order::acquire, kRel = Order::release, kSc = Order::seq_cst;
constexpr uint32_t x = 0, y = 1;

Instruction load(uint32_t location, Order o) { return {.act = Act::load, .location = location, .order = o}; }
Instruction store(uint32_t location, uint32_t value, Order o) { return {.act = Act::store, .location = location, .order = o, .operand = value}; }
Instruction fence(Order o) { return {.act = Act::fence, .order = o}; }

size_t rc11(const Program& p) { return all_graphs(p, Model::rc11).size(); }
size_t sc(const Program& p) { return all_graphs(p, Model::sc).size(); }

TEST(Axioms, StoreBuffering) {
  const auto sb = [](Order w, Order r) { return Program{{store(x, 1, w), load(y, r)}, {store(y, 1, w), load(x, r)}}; };
  EXPECT_EQ(rc11(sb(kRlx, kRlx)), 4u);
  EXPECT_EQ(rc11(sb(kRel, kAcq)), 4u);
  EXPECT_EQ(rc11(sb(kSc, kSc)), 3u);
  EXPECT_EQ(sc(sb(kRlx, kRlx)), 3u);
  const Program fences{{store(x, 1, kRlx), fence(kSc), load(y, kRlx)}, {store(y, 1, kRlx), fence(kSc), load(x, kRlx)}};
  EXPECT_EQ(rc11(fences), 3u);
  EXPECT_EQ(sc(fences), 3u);
}

TEST(Axioms, MessagePassing) {
  const auto mp = [](Order w, Order r) { return Program{{store(x, 1, kRlx), store(y, 1, w)}, {load(y, r), load(x, kRlx)}}; };
  EXPECT_EQ(rc11(mp(kRlx, kRlx)), 4u);
  EXPECT_EQ(rc11(mp(kRel, kAcq)), 3u);
  EXPECT_EQ(rc11(mp(kRel, kRlx)), 4u);
  EXPECT_EQ(sc(mp(kRlx, kRlx)), 3u);
}

TEST(Axioms, LoadBufferingHasNoThinAir) {
  const Program lb{{load(x, kRlx), store(y, 1, kRlx)}, {load(y, kRlx), store(x, 1, kRlx)}};
  EXPECT_EQ(rc11(lb), 3u);
  EXPECT_EQ(sc(lb), 3u);
}

TEST(Axioms, ModificationOrderAgainstTheOrderOfExecution) {
  const auto two_plus_two = [](bool fences) {
    Program p{{store(x, 1, kRlx), store(y, 2, kRlx)}, {store(y, 1, kRlx), store(x, 2, kRlx)}};
    if (fences) {
      for (auto& thread : p) thread.insert(thread.begin() + 1, fence(kSc));
    }
    return p;
  };
  EXPECT_EQ(rc11(two_plus_two(false)), 4u);
  EXPECT_EQ(sc(two_plus_two(false)), 3u);
  EXPECT_EQ(rc11(two_plus_two(true)), 3u);
  const Program s{{store(x, 2, kRlx), store(y, 1, kRlx)}, {load(y, kRlx), store(x, 1, kRlx)}};
  EXPECT_EQ(rc11(s), 4u);
  EXPECT_EQ(sc(s), 3u);
}

TEST(Axioms, ReadsOfOneLocationAreCoherent) {
  const Program corr{{store(x, 1, kRlx), store(x, 2, kRlx)}, {load(x, kRlx), load(x, kRlx)}};
  EXPECT_EQ(rc11(corr), 6u);
  EXPECT_EQ(sc(corr), 6u);
}

TEST(Axioms, IndependentReadsOfIndependentWrites) {
  const auto iriw = [](Order w, Order r) {
    return Program{{store(x, 1, w)}, {store(y, 1, w)}, {load(x, r), load(y, r)}, {load(y, r), load(x, r)}};
  };
  EXPECT_EQ(rc11(iriw(kSc, kAcq)), 16u);
  EXPECT_EQ(rc11(iriw(kSc, kSc)), 15u);
  EXPECT_EQ(sc(iriw(kRlx, kRlx)), 15u);
}

TEST(Axioms, ReadToWriteCausality) {
  const Program rwc{{store(x, 1, kRlx)}, {load(x, kRlx), fence(kSc), load(y, kRlx)}, {store(y, 1, kRlx), fence(kSc), load(x, kRlx)}};
  EXPECT_EQ(rc11(rwc), 7u);
}

// By hand. Three stores of one thread leave x at 0, 1, 2, 3 in this order, and three reads take values that never fall: C(6, 3) = 20. Two and
// two: C(4, 2) = 6. A thread that reads three times beside two updates of another: C(5, 3) = 10.
TEST(Axioms, ReadsBesideStoresOfOneThread) {
  const Program three{{store(x, 1, kRlx), store(x, 2, kRlx), store(x, 3, kRlx)}, {load(x, kRlx), load(x, kRlx), load(x, kRlx)}};
  EXPECT_EQ(rc11(three), 20u);
  EXPECT_EQ(sc(three), 20u);
  const Program two{{store(x, 1, kRel), store(x, 2, kRel)}, {load(x, kAcq), load(x, kAcq)}};
  EXPECT_EQ(rc11(two), 6u);
  EXPECT_EQ(sc(two), 6u);
  const Instruction add{.act = Act::add, .location = x};
  EXPECT_EQ(rc11({{load(x, kRlx), load(x, kRlx), load(x, kRlx)}, {add, add}}), 10u);
}

// PLDI 2017, figure 4: allowed by RC11, since an sc access that synchronises with a weaker one gives up its place.
TEST(Axioms, SeqCstBesideWeakerOrders) {
  const Program z6u{{store(x, 1, kSc), store(y, 1, kRel)},
                    {{.act = Act::add, .location = y, .order = kSc}, load(y, kRlx)},
                    {store(y, 3, kSc), load(x, kSc)}};
  EXPECT_EQ(rc11(z6u), 24u);
}

TEST(Axioms, ReadModifyWrites) {
  const Instruction add{.act = Act::add, .location = x};
  EXPECT_EQ(rc11({{add}, {add}, {add}, {add}}), 24u);
  EXPECT_EQ(rc11({{add}, {add}, {add}, {add}, {add}, {add}}), 720u);
  Program rotation;
  for (uint32_t i = 0; i < 5; ++i) rotation.push_back({{.act = Act::compare, .location = x, .operand = i + 1, .expected = i}});
  EXPECT_EQ(rc11(rotation), 43u);
}

// A release sequence goes on through read-modify-writes, and ends with the thread's own next store (C++20).
TEST(Axioms, ReleaseSequences) {
  const Program update{{store(x, 1, kRlx), store(y, 1, kRel)}, {{.act = Act::add, .location = y}}, {load(y, kAcq), load(x, kRlx)}};
  const Program store_after{{store(x, 1, kRlx), store(y, 1, kRel), store(y, 2, kRlx)}, {load(y, kAcq), load(x, kRlx)}};
  EXPECT_EQ(rc11(store_after), 5u);
  Graph g{{{0, 0, false, true, x, kRlx}, {0, 1, false, true, y, kRel}, {1, 0, true, true, y, kRlx, 1}, {2, 0, true, false, y, kAcq, 2},
           {2, 1, true, false, x, kRlx, kInitial}},
          {{0}, {1, 2}}};
  EXPECT_EQ(broken_axiom(g, Model::rc11), "coherence");
  g.events[1].order = kRlx;
  EXPECT_EQ(broken_axiom(g, Model::rc11), "");
  EXPECT_GT(rc11(update), 0u);
}

TEST(Axioms, EachIsBrokenBySomething) {
  Graph thin{{{0, 0, true, false, x, kRlx, 3}, {0, 1, false, true, y, kRlx}, {1, 0, true, false, y, kRlx, 1}, {1, 1, false, true, x, kRlx}}, {{3}, {1}}};
  EXPECT_EQ(broken_axiom(thin, Model::rc11), "no thin air");
  Graph split{{{0, 0, false, true, x, kRlx}, {1, 0, true, true, x, kRlx, kInitial}}, {{0, 1}}};
  EXPECT_EQ(broken_axiom(split, Model::rc11), "atomicity");
  split.mo[x] = {1, 0};
  EXPECT_EQ(broken_axiom(split, Model::rc11), "");
  Graph both{{{0, 0, false, true, x, kSc}, {0, 1, true, false, y, kSc}, {1, 0, false, true, y, kSc}, {1, 1, true, false, x, kSc}}, {{0}, {2}}};
  EXPECT_EQ(broken_axiom(both, Model::rc11), "seq_cst");
  EXPECT_EQ(broken_axiom(both, Model::sc), "sequential consistency");
}

}  // namespace
}  // namespace heddle::axioms
