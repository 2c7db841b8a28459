// Positions that used one object are counted together (mutator/knowledge/object_groups.h).
#include "mutator/knowledge/object_groups.h"

#include <gtest/gtest.h>

#include "parent.h"

namespace heddle::mutator {
namespace {

void learn(ObjectGroups& groups, const Parent& p) {
  KnownRun run;
  run.assign(p.summary());
  groups.learn(run);
}

uint64_t store_at(SiteId site) { return ObjectGroups::position(site, Kind::atomic_store); }

TEST(ObjectGroups, PositionsOfOneObjectAreOneGroup) {
  ObjectGroups groups;
  Parent p;
  p.add(0, 1, Kind::atomic_store, 1);
  p.add(1, 2, Kind::atomic_store, 1);
  p.add(1, 3, Kind::atomic_store, 2);
  learn(groups, p);
  groups.try_one(store_at(1));
  groups.try_one(store_at(2));
  EXPECT_EQ(groups.tried(store_at(1)), 2u);
  EXPECT_EQ(groups.tried(store_at(2)), 2u);
  EXPECT_EQ(groups.tried(store_at(3)), 0u);
}

// A later run shows that two groups are one.
TEST(ObjectGroups, WhatWasTriedStaysCounted) {
  ObjectGroups groups;
  Parent p;
  p.add(0, 1, Kind::atomic_store, 1);
  p.add(1, 2, Kind::atomic_store, 2);
  learn(groups, p);
  groups.try_one(store_at(1));
  groups.try_one(store_at(2));
  groups.try_one(store_at(2));
  p.add(1, 2, Kind::atomic_store, 1);
  learn(groups, p);
  EXPECT_EQ(groups.tried(store_at(1)), 3u);
  EXPECT_EQ(groups.tried(store_at(2)), 3u);
}

TEST(ObjectGroups, WhatIsNotKnownWasNotTried) {
  ObjectGroups groups;
  EXPECT_EQ(groups.tried(store_at(1)), 0u);
  groups.try_one(store_at(1));
  EXPECT_EQ(groups.tried(store_at(1)), 1u);
}

}  // namespace
}  // namespace heddle::mutator
