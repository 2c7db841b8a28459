// How much of a chain comes true, foreseen from a recorded run.
#include "mutator/knowledge/foresight.h"

#include <gtest/gtest.h>

#include "modes_order_runs.h"
#include "mutator/knowledge/known_run.h"

namespace heddle::mutator {
namespace {

// The least of many walks from the start of the run.
uint32_t least(const OrderRun& run, const std::vector<Element>& chain, uint32_t walks = 32) {
  KnownRun known;
  known.assign(run.whole());
  Foresight f(known, 0, nullptr);
  EXPECT_TRUE(f.add(std::span<const Element>(chain)));
  Rng rng(1);
  for (uint32_t i = 0; i < walks; ++i) f.walk(rng);
  return f.realised(0);
}

const Element kLock1 = op(1, 11, Kind::mutex_lock), kUnlock1 = op(1, 12, Kind::mutex_unlock);
const Element kLock2 = op(2, 21, Kind::mutex_lock), kUnlock2 = op(2, 22, Kind::mutex_unlock);

TEST(Foresight, SectionsChangePlaces) {
  const TwoSections run;
  EXPECT_EQ(least(run, {kUnlock2, kLock1}), 2u);
  EXPECT_EQ(least(run, {kUnlock1, kLock2}), 2u);
}

TEST(Foresight, AThreadThatIsHeldWithItsLock) {
  const TwoSections run;
  EXPECT_EQ(least(run, {kUnlock2, kUnlock1}), 0u);  // in some walks thread 1 has the lock first
  EXPECT_EQ(least(run, {kLock2, kUnlock1}),
            2u);  // it waits for the lock and nothing else can move: that counts
  EXPECT_EQ(least(run, {kLock1, kUnlock2, kUnlock1}), 1u);
}

TEST(Foresight, ProgramOrderAndWhatIsNotThere) {
  const TwoSections run;
  EXPECT_EQ(least(run, {kUnlock1, kLock1}), 0u);
  EXPECT_EQ(least(run, {kLock1, op(3, 31, Kind::mutex_lock)}), 1u);
  EXPECT_EQ(least(run, {kLock1, op(2, 21, Kind::mutex_lock, 2)}), 1u);
}

TEST(Foresight, OpenElementsMatchAnyThread) {
  OrderRun run;
  for (uint32_t t : {1u, 2u})
    run.add(t, 10, Kind::atomic_store, 1), run.add(t, 11, Kind::atomic_store, 2);
  EXPECT_EQ(least(run, {any(10, Kind::atomic_store), any(11, Kind::atomic_store)}), 2u);
  EXPECT_EQ(least(run, {any(11, Kind::atomic_store), any(10, Kind::atomic_store)}),
            0u);  // both hold their first
}

TEST(Foresight, AnotherOutcomeEndsWhatIsKnownOfAThread) {
  OrderRun run;
  run.add(1, 11, Kind::mutex_lock, 1);
  run.add(2, 21, Kind::mutex_trylock, 1, Outcome::failure);
  run.add(2, 23, Kind::atomic_store, 2);
  run.add(1, 12, Kind::mutex_unlock, 1);
  const Element tries = op(2, 21, Kind::mutex_trylock), after = op(2, 23, Kind::atomic_store);
  EXPECT_EQ(least(run, {kLock1, tries, kUnlock1}), 3u);
  EXPECT_EQ(least(run, {kUnlock1, tries}), 2u);
  EXPECT_EQ(least(run, {kUnlock1, tries, after}), 2u);  // who knows where a success leads
}

TEST(Foresight, AFullChannelBlocksUntilSomeoneReceives) {
  OrderRun run;
  run.channel(1, 1);
  run.add(1, 11, Kind::channel_send, 1);
  run.add(2, 21, Kind::channel_receive, 1, Outcome::success).partner = 0;
  run.add(1, 12, Kind::channel_send, 1);
  run.add(2, 22, Kind::channel_receive, 1, Outcome::success).partner = 2;
  run.add(3, 31, Kind::atomic_store, 2);
  run.add(2, 23, Kind::atomic_store, 2);
  const Element second = op(1, 12, Kind::channel_send), receive = op(2, 21, Kind::channel_receive);
  EXPECT_EQ(least(run, {op(1, 11, Kind::channel_send), op(3, 31, Kind::atomic_store), receive}),
            3u);
  // Blocked in its primitive, and nothing else can move: it counts.
  EXPECT_EQ(least(run, {second, receive}), 2u);
  EXPECT_EQ(least(run, {op(2, 23, Kind::atomic_store), second}), 0u);  // after the second receive
}

TEST(Foresight, ChainsBlockEachOther) {
  const TwoSections run;
  KnownRun known;
  known.assign(run.whole());
  Foresight f(known, 0, nullptr);
  const std::vector<Element> one{kUnlock1, kLock2}, other{kUnlock2, kLock1};
  ASSERT_TRUE(f.add(std::span<const Element>(one)));
  ASSERT_TRUE(f.add(std::span<const Element>(other)));
  Rng rng(1);
  f.walk(rng);
  EXPECT_EQ(f.realised(0) + f.realised(1), 2u);
}

Schedule kept(const OrderRun& run, const Chain& chain) {
  Lab lab(run.whole());
  Schedule s;
  put_chain(s, 0, chain);
  Rng rng(1);
  Context c{s, &lab.run.relations(), lab.run.races, rng, lab.seen, lab.options, nullptr, 64};
  keep_foreseen(c);
  return s;
}

TEST(Foresight, MixedCutsAChainToWhatComesTrue) {
  TwoSections run;
  const Element gone = op(3, 31, Kind::mutex_lock);
  EXPECT_EQ(kept(run, {kUnlock2, kLock1}).elements.size(), 2u);
  EXPECT_EQ(kept(run, {kUnlock2, kLock1, gone}).elements.size(), 2u);
  // What the chain would hold in vain is held without it.
  const Schedule held = kept(run, {gone, kLock1, kUnlock1});
  EXPECT_TRUE(held.elements.empty());
  ASSERT_EQ(held.delays.size(), 1u);
  EXPECT_TRUE(same_op(held.delays[0].what, kLock1));
  run.add(2, 24, Kind::sleep, 0);
  EXPECT_EQ(kept(run, {gone, kLock1}).elements.size(), 2u);  // the walks know nothing of time
}

TEST(Foresight, ABranchAfterAnotherReadEndsWhatIsKnown) {
  // In an earlier run thread 2 went another way after its section.
  OrderRun other;
  other.add(2, 21, Kind::mutex_lock, 1);
  other.add(2, 22, Kind::mutex_unlock, 1);
  other.add(2, 25, Kind::atomic_store, 2);
  OrderRun run = TwoSections();
  run.add(2, 26, Kind::atomic_store, 2);
  KnownRun first, second;
  first.assign(other.whole());
  second.assign(run.whole());
  BranchBook branches;
  branches.learn(first);
  const auto realised = [&](const std::vector<Element>& chain) {
    Foresight f(second, 0, &branches);
    EXPECT_TRUE(f.add(std::span<const Element>(chain)));
    Rng rng(1);
    for (int i = 0; i < 32; ++i) f.walk(rng);
    return f.realised(0);
  };
  const Element after = op(2, 26, Kind::atomic_store);
  EXPECT_EQ(realised({kUnlock1, kLock2, after}), 3u);
  EXPECT_EQ(realised({kUnlock2, kLock1, after}), 3u);  // no branch is known yet
  branches.learn(second);
  EXPECT_EQ(realised({kUnlock1, kLock2, after}), 3u);  // it reads what it has read
  EXPECT_EQ(realised({kUnlock2, kLock1, after}), 2u);
}

// Thread 2 takes the lock first, and nobody knows what it does with it. So nobody knows what thread 1 finds.
TEST(Foresight, WhoGetsALockAfterALostThreadMayGoAnotherWay) {
  OrderRun other;
  for (const uint32_t thread : {1u, 2u}) {
    other.add(thread, 10 * thread + 1, Kind::mutex_lock, 1);
    other.add(thread, 10 * thread + 5, Kind::atomic_store, 2);
    other.add(thread, 10 * thread + 2, Kind::mutex_unlock, 1);
  }
  const TwoSections run;
  KnownRun first, second;
  first.assign(other.whole());
  second.assign(run.whole());
  BranchBook branches;
  branches.learn(first);
  branches.learn(second);
  const std::vector<Element> chain = {kLock2, kLock1, kUnlock1};
  Foresight f(second, 0, &branches);
  EXPECT_TRUE(f.add(std::span<const Element>(chain)));
  Rng rng(1);
  for (int i = 0; i < 32; ++i) f.walk(rng);
  EXPECT_EQ(f.realised(0), 2u);
}

}  // namespace
}  // namespace heddle::mutator
