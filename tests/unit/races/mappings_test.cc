// Mappings: their end is a write to all that is known of them, and costs by that; discarded bytes are new, and objects stay.
#include <gtest/gtest.h>

#include <vector>

#include "detector_lab.h"
#include "races/shadow.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr size_t kGigabyte = size_t{1} << 30;
std::vector<uintptr_t> g_ended;

class Mappings : public ::testing::Test {
 protected:
  void SetUp() override {
    begin();
    g_ended.clear();
    set_object_sink([](uintptr_t address, bool) {
      g_ended.push_back(address);
      return true;
    });
    start(0, 1);
  }
  void TearDown() override { set_object_sink(nullptr); }
};

TEST_F(Mappings, AnUnmappingRacesWithWhateverIsNotOrderedBeforeIt) {
  access(1, kBase + kGigabyte - 3, 1, false, 0x100);
  access(1, kBase + 4095, 2, true, 0x110);
  race_detector_end_of_memory(0, kBase, kGigabyte, sites().index_of(0x200), 0);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x100), site_id(0x200)), ordered(site_id(0x110), site_id(0x200))}));
}

TEST_F(Mappings, NotWithWhatLiesBesideNorWithItsOwnAccesses) {
  access(1, kBase - 1, 1, true, 0x100);
  access(1, kBase + kGigabyte, 1, true, 0x110);
  access(0, kBase + 100, 4, true, 0x120);
  race_detector_end_of_memory(0, kBase, kGigabyte, sites().index_of(0x200), 0);
  EXPECT_TRUE(found().empty());
}

TEST_F(Mappings, BytesOfOneWordAreToldApart) {
  access(0, kBase, 1, true, 0x100);
  access(1, kBase + 3, 2, true, 0x110);
  access(0, kBase + 7, 1, true, 0x120);
  race_detector_end_of_memory(0, kBase, 4096, sites().index_of(0x200), 0);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x110), site_id(0x200))}));
}

TEST_F(Mappings, AnAtomicOperationAndALockAreUses) {
  event(1, Kind::atomic_rmw, 7, MemoryOrder::relaxed, Outcome::none, {kBase + 8, 4, 0x100});
  event(1, Kind::mutex_lock, 8, MemoryOrder::seq_cst, Outcome::success, {kBase + 64, 1, 0x110});
  event(1, Kind::mutex_unlock, 8, MemoryOrder::seq_cst, Outcome::success, {kBase + 64, 1, 0x120});
  race_detector_end_of_memory(0, kBase, 4096, sites().index_of(0x200), 0);
  EXPECT_TRUE(found().count(ordered(site_id(0x100), site_id(0x200))));
  EXPECT_TRUE(found().count(ordered(site_id(0x120), site_id(0x200))));
}

TEST_F(Mappings, AfterwardsItIsNewMemory) {
  access(0, kBase + 8, 8, true, 0x100);
  race_detector_object(kBase + 4096);
  race_detector_end_of_memory(0, kBase, kGigabyte, sites().index_of(0x200), 0);
  EXPECT_TRUE(g_ended.empty());
  race_detector_forget(kBase, kGigabyte);
  EXPECT_EQ(g_ended, std::vector<uintptr_t>{kBase + 4096});
  access(1, kBase + 8, 8, true, 0x110);
  EXPECT_TRUE(found().empty());
}

TEST_F(Mappings, DiscardedBytesAreNewAndObjectsStay) {
  access(0, kBase + 8, 8, true, 0x100);
  access(0, kBase + 17, 1, true, 0x100);
  access(0, kBase + 4096, 8, true, 0x120);
  race_detector_object(kBase + 16);
  race_detector_discarded(kBase, 4096);
  EXPECT_TRUE(g_ended.empty());
  access(1, kBase + 8, 16, false, 0x110);
  EXPECT_TRUE(found().empty());
  access(1, kBase + 4096, 8, false, 0x130);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x120), site_id(0x130))}));
  access(1, kBase + 16, 8, true, 0x140);
  EXPECT_EQ(g_ended, std::vector<uintptr_t>{kBase + 16});
}

// Terabytes of which little was touched: were it walked page by page, this test would take minutes.
TEST_F(Mappings, ReservedMemoryCostsNothing) {
  constexpr uintptr_t kLow = uintptr_t{1} << 44;
  constexpr size_t kHuge = size_t{1} << 45;
  access(1, kLow + kHuge / 2, 8, true, 0x100);
  size_t visited = 0;
  shadow().visit_known(kLow, kHuge, [&](uintptr_t, Granule&) { ++visited; });
  EXPECT_LE(visited, size_t{1} << (Shadow::kChunkBits - 3));
  for (int i = 0; i < 2000; ++i) race_detector_end_of_memory(0, kLow, kHuge, sites().index_of(0x200), 0);
  for (int i = 0; i < 2000; ++i) race_detector_forget(kLow, kHuge);
  EXPECT_EQ(found().size(), 1u);
}

}  // namespace
}  // namespace heddle::rt
