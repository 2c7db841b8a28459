// The moves that change a chain, and what the enforced run then does. One thread writes a number three times, one reads it three
// times, so that each order that respects the two programs is possible: 20 of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "enforced_run.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

int x = 0;

void* writes(void*) {
  __tsan_atomic32_store(&x, 1, kSeqCst);
  __tsan_atomic32_store(&x, 2, kSeqCst);
  __tsan_atomic32_store(&x, 3, kSeqCst);
  return nullptr;
}

void* reads(void*) {
  __tsan_atomic32_load(&x, kSeqCst);
  __tsan_atomic32_load(&x, kSeqCst);
  __tsan_atomic32_load(&x, kSeqCst);
  return nullptr;
}

int body(const uint8_t*, size_t) {
  x = 0;
  return both(writes, reads);
}

struct EnforcedChain : testing::Test {
  Execution any{{}, body};
  Element store(uint32_t n) const { return any.exact(1, Kind::atomic_store, n); }
  Element load(uint32_t n) const { return any.exact(2, Kind::atomic_load, n); }
  // The chain, and the parent run that it leads to.
  void start(const Chain& c) {
    chain = c;
    schedule = with_chain(c);
  }
  Chain chain;
  Schedule schedule;
};

bool in_order_and_realised(const Execution& e, const Chain& chain) {
  return e.finished() && e.realised() && e.in_order(chain) && e.flagged(kEventElement) == chain.size() &&
         e.flagged(kEventReleased) == 0;
}

// Every child with a chain has the order of its chain, with any seed.
void expect_enforced(const Schedule& child, const Chain& chain) {
  EXPECT_EQ(runs_that(child, body, [&](const Execution& e) { return in_order_and_realised(e, chain); }), kSeeds);
}

// Both orders happen, so nothing enforces either.
void expect_free(const Schedule& child, const Element& a, const Element& b) {
  const int n = runs_that(child, body, [&](const Execution& e) { return e.in_order({a, b}); });
  EXPECT_GT(n, 0);
  EXPECT_LT(n, kSeeds);
}

TEST_F(EnforcedChain, TheParentsOrdersAreFree) {
  for (uint32_t i = 0; i < 3; ++i) expect_free({}, store(1), load(i));
}

TEST_F(EnforcedChain, Flip) {
  start({store(1), load(1)});
  expect_enforced(schedule, chain);
  Execution parent(schedule, body);
  EXPECT_NE(parent.partner_site(parent.at(2, Kind::atomic_load, 1)), store(0).site);
  for (const Schedule& child : children(parent, schedule, "flip")) {
    const Chain flipped{chain[1], chain[0]};
    ASSERT_TRUE(same(get_chain(child, 0), flipped));
    expect_enforced(child, flipped);
    // What the load saw is from before.
    EXPECT_EQ(runs_that(child, body, [&](const Execution& e) {
      const SiteId seen = e.partner_site(e.at(2, Kind::atomic_load, 1));
      return seen == store(0).site || seen == kNoSite;
    }), kSeeds);
  }
}

TEST_F(EnforcedChain, AbridgeFreesWhatItDrops) {
  start({store(0), load(1), store(2)});
  expect_enforced(schedule, chain);
  Execution parent(schedule, body);
  const auto results = children(parent, schedule, "abridge");
  ASSERT_EQ(results.size(), 2u);
  for (const Schedule& child : results) {
    const Chain left = get_chain(child, 0);
    const bool first_dropped = same(left, {chain[1], chain[2]});
    ASSERT_TRUE(first_dropped || same(left, {chain[0], chain[1]}));
    expect_enforced(child, left);
    expect_free(child, first_dropped ? chain[0] : chain[1], first_dropped ? chain[1] : chain[2]);
  }
}

TEST_F(EnforcedChain, SubstituteEnforcesTheNeighbour) {
  start({load(1), store(1)});
  Execution parent(schedule, body);
  const auto results = children(parent, schedule, "substitute");
  EXPECT_GE(results.size(), 4u);  // one of two elements, by the neighbour before or after it
  for (const Schedule& child : results) {
    const Chain other = get_chain(child, 0);
    ASSERT_EQ(other.size(), 2u);
    EXPECT_FALSE(same(other, chain));
    // Neighbours of the outer operations are the threads' starts and ends.
    expect_enforced(child, other);
  }
}

TEST_F(EnforcedChain, AugmentAddsAnElementAtTheEnd) {
  start({store(0), load(0)});
  Execution parent(schedule, body);
  std::set<SiteId> tails;
  for (const Schedule& child : children(parent, schedule, "augment")) {
    const Chain longer = get_chain(child, 0);
    ASSERT_EQ(longer.size(), 3u);
    tails.insert(longer[2].site);
    expect_enforced(child, longer);
  }
  EXPECT_EQ(tails.size(), 2u);  // the stores that are left
}

TEST_F(EnforcedChain, DropChainFreesTheOrder) {
  start({load(2), store(0)});
  expect_enforced(schedule, chain);
  Execution parent(schedule, body);
  const auto results = children(parent, schedule, "drop_chain");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(runs_that(results[0], body, [](const Execution& e) {
    return e.run.chains.empty() && e.flagged(kEventHeld) == 0 && e.flagged(kEventElement) == 0;
  }), kSeeds);
  start({load(0), store(2)});
  expect_free(children(parent, schedule, "drop_chain")[0], store(1), load(0));
}

// The third element never comes, so the fourth, which it holds, has to be let go.
TEST_F(EnforcedChain, KeepRealisedCutsToWhatComesTrue) {
  Element never = load(1);
  never.occurrence = 9;
  start({load(0), store(0), never, store(1)});
  Execution parent(schedule, body);
  EXPECT_EQ(parent.run.chains[0].realised, 2u);
  EXPECT_EQ(parent.flagged(kEventReleased), 1u);
  const auto results = children(parent, schedule, "keep_realised");
  ASSERT_EQ(results.size(), 1u);
  expect_enforced(results[0], {load(0), store(0)});
  // One that began with an impossible element goes as a whole.
  start({never, store(1)});
  Execution hopeless(schedule, body);
  EXPECT_EQ(hopeless.run.chains[0].realised, 0u);
  EXPECT_TRUE(children(hopeless, schedule, "keep_realised")[0].elements.empty());
}

// Two parents' chains in one child: as one where they share an element, else side by side. Both orders are enforced.
TEST_F(EnforcedChain, SpliceEnforcesBothParents) {
  const auto spliced = [&](const Chain& ours, const Chain& theirs, uint64_t seed) {
    Schedule child = with_chain(ours);
    Rng rng(seed);
    Context c{child, &any.run.relations(), {}, rng, any.seen, any.options, nullptr, 0};
    splice(c, with_chain(theirs));
    return child;
  };
  const Chain early{store(0), load(0)}, late{load(0), store(1)}, apart{load(1), store(2)};
  int whole = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Schedule merged = spliced(early, late, seed);
    ASSERT_TRUE(same(get_chain(merged, 0), {store(0), load(0), store(1)}));
    expect_enforced(merged, get_chain(merged, 0));
    const Schedule beside = spliced(early, apart, seed);
    const bool has_ours = same(get_chain(beside, 0), early);  // a new chain is sometimes the only one
    whole += has_ours;
    EXPECT_EQ(runs_that(beside, body, [&](const Execution& e) {
      return e.realised() && e.in_order(apart) && (!has_ours || (e.run.chains.size() == 2 && e.in_order(early)));
    }), kSeeds);
  }
  EXPECT_GT(whole, 10);
}

// What is left after shrinking is still enforced, and the run says so.
TEST_F(EnforcedChain, ShrinkKeepsWhatItLeaves) {
  start({load(0), store(0), load(1), store(1), load(2), store(2)});
  schedule.payload.assign(100, 'x');
  std::set<size_t> lengths;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Schedule child = schedule;
    Rng rng(seed);
    const size_t room = encode_schedule(schedule).size() - 10 * seed;
    const std::vector<uint8_t> bytes = shrink(child, room, rng);
    ASSERT_FALSE(bytes.empty());
    EXPECT_LE(bytes.size(), room);
    Schedule decoded;
    ASSERT_TRUE(decode_schedule(bytes, decoded));
    EXPECT_EQ(decoded, child);
    const Chain left = get_chain(decoded, 0);
    lengths.insert(left.size());
    if (!left.empty()) expect_enforced(decoded, left);
  }
  EXPECT_GT(lengths.size(), 2u);
}

}  // namespace
}  // namespace heddle::mutator
