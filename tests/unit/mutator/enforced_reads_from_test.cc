// The moves on reads-from constraints and on the visibility of plain accesses, and what the enforced run then does.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "enforced_run.h"

namespace heddle::mutator {
namespace {

int x = 0, y = 0;

void* first_writes(void*) {
  __tsan_atomic32_store(&x, 1, kSeqCst);
  return nullptr;
}

void* second_writes(void*) {
  __tsan_atomic32_store(&x, 2, kSeqCst);
  return nullptr;
}

void* reads(void*) {
  __tsan_atomic32_load(&x, kSeqCst);
  return nullptr;
}

// Threads 1 and 2 write at two places, 3 reads once.
int two_writes(const uint8_t*, size_t) {
  x = 0;
  pthread_t t;
  pthread_create(&t, nullptr, first_writes, nullptr);
  both(second_writes, reads);
  pthread_join(t, nullptr);
  return 0;
}

SiteId source(const Execution& e) { return e.partner_site(e.at(3, Kind::atomic_load)); }

// How often the read takes the value of the write that the constraint names.
int runs_from(const Schedule& schedule, const ReadsFrom& rf) {
  return runs_that(schedule, two_writes, [&](const Execution& e) { return source(e) == rf.write.site; });
}

struct EnforcedReadsFrom : testing::Test {
  Execution any{{}, two_writes};
  ReadsFrom constraint(uint8_t negative) const {
    return {any.open(3, Kind::atomic_load), any.open(1, Kind::atomic_store), negative, 0, {}};
  }
};

TEST_F(EnforcedReadsFrom, InsertDecidesWhatTheReadSees) {
  int positive = 0, negative = 0, initial = 0;
  for (const Schedule& child : children(any, {}, "rf_insert", 600)) {
    ASSERT_EQ(child.reads_from.size(), 1u);
    const ReadsFrom& rf = child.reads_from[0];
    ASSERT_EQ(rf.read.site, any.open(3, Kind::atomic_load).site);
    const bool from_initial = rf.write.site == kNoSite;
    const int runs = runs_from(child, rf);
    if (rf.negative) {
      // Only a shield prevents that the other writer is last: without it the read waits without end, and is released.
      EXPECT_EQ(runs_that(child, two_writes, [&](const Execution& e) {
        return source(e) != rf.write.site || e.flagged(kEventReleased) != 0;
      }), kSeeds);
      EXPECT_LT(runs, runs_from({}, rf) + 1);
      if (from_initial) EXPECT_EQ(runs, 0);  // a thread writes
      ++negative;
    } else if (!from_initial) {
      // A read that is there before its write waits, and is favoured then. With a shield nothing comes between; without, the other
      // writer may, and the read is let go at the end.
      if (rf.shield) EXPECT_EQ(runs, kSeeds);
      EXPECT_GT(runs, runs_from({}, rf));
      ++positive;
    } else {
      // The writers are held from when the read is there; it sees a write only if one was earlier.
      if (rf.shield) {
        EXPECT_EQ(runs_that(child, two_writes, [](const Execution& e) {
          const Event& load = e.run.events[e.at(3, Kind::atomic_load)];
          const auto earlier = [&](const Event& store) { return store.kind == Kind::atomic_store && store.done < load.req; };
          return (load.partner != kNoEvent) == std::any_of(e.run.events.begin(), e.run.events.end(), earlier);
        }), kSeeds);
      }
      ++initial;
    }
  }
  EXPECT_GE(positive, 2);
  EXPECT_GE(negative, 4);
  EXPECT_GE(initial, 1);
}

TEST_F(EnforcedReadsFrom, NewMakesAPairThatNoRunHad) {
  any.run.flags &= ~kRunFamiliar;  // which orders are known is the process's, and of those a sample is learnt from
  any.sources.learn(any.run);
  const SiteId had = source(any);
  for (const Schedule& child : children(any, {}, "rf_new")) {
    ASSERT_EQ(child.reads_from.size(), 1u);
    EXPECT_NE(child.reads_from[0].write.site, had);
    EXPECT_GT(runs_from(child, child.reads_from[0]), runs_from({}, child.reads_from[0]));
  }
}

TEST_F(EnforcedReadsFrom, NegateTurnsItRound) {
  Schedule schedule;
  schedule.reads_from = {constraint(0)};
  schedule.reads_from[0].shield = 1;
  EXPECT_EQ(runs_from(schedule, schedule.reads_from[0]), kSeeds);
  Execution parent(schedule, two_writes);
  const auto results = children(parent, schedule, "rf_negate");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(runs_from(results[0], schedule.reads_from[0]), 0);
  EXPECT_EQ(children(parent, results[0], "rf_negate"), std::vector{schedule});
}

TEST_F(EnforcedReadsFrom, RemoveFreesTheRead) {
  Schedule schedule;
  schedule.reads_from = {constraint(1)};
  schedule.reads_from[0].shield = 1;
  EXPECT_EQ(runs_from(schedule, constraint(0)), 0);
  Execution parent(schedule, two_writes);
  const auto results = children(parent, schedule, "rf_remove");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(runs_that(results[0], two_writes, [](const Execution& e) { return e.flagged(kEventHeld) == 0; }), kSeeds);
  const int runs = runs_from(results[0], constraint(0));
  EXPECT_GT(runs, 0);
  EXPECT_LT(runs, kSeeds);
}

// --- plain accesses ---------------------------------------------------------------------------

void* writes_plainly(void*) {
  __tsan_write4(&x);
  __tsan_write4(&y);
  return nullptr;
}

void* reads_plainly(void*) {
  __tsan_read4(&x);
  __tsan_read4(&y);
  return nullptr;
}

int racing(const uint8_t*, size_t) { return both(writes_plainly, reads_plainly); }

uint32_t plain_events(const Execution& e) { return e.count(Kind::plain_write) + e.count(Kind::plain_read); }

bool sees(const Execution& e, SiteId site) {
  return std::any_of(e.run.events.begin(), e.run.events.end(), [site](const Event& event) { return event.site == site; });
}

TEST(EnforcedVisibility, AddMakesBothSidesChoicePoints) {
  Execution parent({}, racing);
  ASSERT_EQ(parent.run.races.size(), 2u);
  EXPECT_EQ(plain_events(parent), 0u);
  for (const Schedule& child : children(parent, {}, "visible_plain_add")) {
    const size_t sites = child.visible_plain.size();
    EXPECT_EQ(sites % 2, 0u);
    EXPECT_EQ(runs_that(child, racing, [&](const Execution& e) {
      return plain_events(e) == sites && std::all_of(child.visible_plain.begin(), child.visible_plain.end(),
                                                     [&](SiteId site) { return sees(e, site); });
    }), kSeeds);
    // And choice points they are: each race goes both ways.
    const int first = runs_that(child, racing, [](const Execution& e) {
      return e.before(e.at(1, Kind::plain_write), e.at(2, Kind::plain_read));
    });
    EXPECT_GT(first, 0);
    EXPECT_LT(first, kSeeds);
  }
}

TEST(EnforcedVisibility, RemoveTakesTheirEventsAway) {
  Execution calm({}, racing);
  Schedule all;
  for (const RacingPair& race : calm.run.races) all.visible_plain.insert(all.visible_plain.end(), {race.first, race.second});
  Execution parent(all, racing);
  EXPECT_EQ(plain_events(parent), 4u);
  std::set<size_t> sizes;
  for (const Schedule& child : children(parent, all, "visible_plain_remove")) {
    sizes.insert(child.visible_plain.size());
    EXPECT_EQ(runs_that(child, racing, [&](const Execution& e) {
      return std::all_of(calm.run.races.begin(), calm.run.races.end(), [&](const RacingPair& race) {
        const auto listed = [&](SiteId site) { return std::find(child.visible_plain.begin(), child.visible_plain.end(), site) != child.visible_plain.end(); };
        // A position that is not listed is a choice point only after the other one has touched the variable.
        const auto as_listed = [&](SiteId site, SiteId other) { return listed(site) ? sees(e, site) : listed(other) || !sees(e, site); };
        return as_listed(race.first, race.second) && as_listed(race.second, race.first);
      });
    }), kSeeds);
  }
  EXPECT_EQ(sizes, (std::set<size_t>{2, 3}));  // one pair, or all but one site
}

// The orders of the moves above hold for plain accesses, too: a constraint makes its own accesses visible.
TEST(EnforcedVisibility, OrdersOfRacesAreEnforcedBothWays) {
  Execution parent({}, racing);
  int ways = 0;
  for (const Schedule& child : children(parent, {}, "order_constraint")) {
    const Chain chain = get_chain(child, 0);
    ASSERT_EQ(chain.size(), 2u);
    ++ways;
    EXPECT_EQ(runs_that(child, racing, [&](const Execution& e) {
      return e.realised() && e.before(e.run.relations().find_any(chain[0]), e.run.relations().find_any(chain[1]));
    }), kSeeds);
  }
  EXPECT_EQ(ways, 4);
}

}  // namespace
}  // namespace heddle::mutator
