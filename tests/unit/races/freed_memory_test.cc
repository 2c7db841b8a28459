// Accesses to freed memory, and what a race's report tells about the earlier access.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "detector_lab.h"
#include "heap/bad_free.h"
#include "heap/heap_blocks.h"
#include "races/known_access.h"
#include "races/shadow.h"

namespace heddle::rt {
namespace {

std::vector<BadFreeReport> g_bad;
std::vector<RaceReport> g_races;

class FreedMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    begin();
    heap_blocks::begin();
    heap_blocks::begin_execution();
    g_bad.clear();
    g_bad_free_sink = [](const BadFreeReport& bad) { g_bad.push_back(bad); };
    start(0, 1);
  }
  void TearDown() override { g_bad_free_sink = nullptr; }
  static void free_block(uint32_t thread, size_t size) {
    const uint32_t site = sites().index_of(0x5000);
    heap_blocks::freed(reinterpret_cast<const void*>(kBase), {.thread = thread, .site = site, .context = 0});
    race_detector_freed(thread, kBase, size, site);
  }
};

TEST_F(FreedMemory, EveryByteOfItAndNoneBeside) {
  free_block(1, 64);
  access(0, kBase - 8, 8, false, 0x100);
  access(0, kBase + 64, 8, true, 0x110);
  EXPECT_EQ(g_bad.size(), 0u);
  for (size_t at = 0; at < 64; at += 8) access(0, kBase + at + 3, 1, true, 0x200 + at);
  ASSERT_EQ(g_bad.size(), 8u);
  EXPECT_EQ(g_bad[1].what, BadFree::written_after);
  EXPECT_EQ(g_bad[1].address, kBase + 11);
  EXPECT_EQ(g_bad[1].block, kBase);
  EXPECT_EQ(g_bad[1].first.thread, 1u);
}

// Words of which several accesses know different bytes take memory. They give it back when what they describe is gone.
TEST_F(FreedMemory, ForgottenWordsAreNotKept) {
  constexpr size_t kSize = 8192;
  const auto write_in_parts = [](uintptr_t base) {
    for (size_t at = 0; at < kSize; at += 8) {
      access(0, base + at, 3, true, 0x100);
      access(0, base + at + 3, 5, true, 0x110);
    }
  };
  write_in_parts(kBase + 2 * kSize);  // stays
  for (int round = 0; round < 100; ++round) {
    write_in_parts(kBase);
    if (round % 2 == 0) race_detector_forget(kBase, kSize);
    else free_block(1, kSize), race_detector_forget(kBase, kSize);
  }
  EXPECT_LE(granules().parts_used(), 4 * kSize / 8);
  access(1, kBase + 2 * kSize + 4080, 1, false, 0x200);
  access(1, kBase + 2 * kSize + 4087, 1, false, 0x210);
  EXPECT_EQ(found(), (std::set{ordered(site_id(0x100), site_id(0x200)), ordered(site_id(0x110), site_id(0x210))}));
}

// Whole pages of it are marked as such.
TEST_F(FreedMemory, EveryPageOfItAndNoneBeside) {
  constexpr size_t kSize = 40'000;
  static_assert(kBase % Shadow::kPage == 0);
  free_block(1, kSize);
  access(0, kBase + kSize, 8, true, 0x100);
  EXPECT_EQ(g_bad.size(), 0u);
  for (const size_t at : {0, 64, 4088, 4096, 4104, 20'000, 36'856, 39'992}) {
    g_bad.clear();
    access(0, kBase + at, 8, false, 0x200 + at);
    ASSERT_EQ(g_bad.size(), 1u) << at;
    EXPECT_EQ(g_bad[0].block, kBase);
    EXPECT_EQ(g_bad[0].first.thread, 1u);
  }
  access(0, kBase + 64, 4000, true, 0x100);  // over what has been told, and what has not
  EXPECT_EQ(g_bad.size(), 1u + (4000 - 8) / 8);
}

TEST_F(FreedMemory, APartOfAPageThatSomebodyHas) {
  free_block(1, 3 * Shadow::kPage);
  race_detector_forget(kBase + Shadow::kPage + 512, 256);
  access(0, kBase + Shadow::kPage + 512, 256, true, 0x100);
  EXPECT_EQ(g_bad.size(), 0u);
  access(0, kBase + Shadow::kPage + 504, 8, true, 0x110);
  access(0, kBase + Shadow::kPage + 768, 8, true, 0x120);
  EXPECT_EQ(g_bad.size(), 2u);
  race_detector_forget(kBase + 2 * Shadow::kPage, Shadow::kPage);
  access(0, kBase + 2 * Shadow::kPage + 8, 8, true, 0x130);
  EXPECT_EQ(g_bad.size(), 2u);
}

TEST_F(FreedMemory, ARangeThatReachesInto) {
  free_block(1, 64);
  access(0, kBase - 32, 40, false, 0x100);
  ASSERT_EQ(g_bad.size(), 1u);
  EXPECT_EQ(g_bad[0].what, BadFree::read_after);
}

TEST_F(FreedMemory, AnAtomicOperationIsOne) {
  free_block(1, 64);
  event(0, Kind::atomic_rmw, 7, MemoryOrder::seq_cst, Outcome::none, {kBase + 8, 4, 0x100});
  EXPECT_EQ(g_bad.size(), 1u);
}

TEST_F(FreedMemory, AUseSaysOfWhatAndAnAccessDoesNot) {
  free_block(1, 64);
  race_detector_use(0, kBase + 16, 0x100, "a mutex");
  ASSERT_EQ(g_bad.size(), 1u);
  EXPECT_STREQ(g_bad[0].used, "a mutex");
  EXPECT_EQ(g_bad[0].address, kBase + 16);
  access(0, kBase + 24, 8, true, 0x110);
  ASSERT_EQ(g_bad.size(), 2u);
  EXPECT_EQ(g_bad[1].used, nullptr);
}

TEST_F(FreedMemory, NotWhenSomebodyHasIt) {
  free_block(1, 64);
  race_detector_forget(kBase, 32);
  access(0, kBase, 8, true, 0x100);
  EXPECT_EQ(g_bad.size(), 0u);
  heap_blocks::given_elsewhere(reinterpret_cast<const void*>(kBase));
  access(0, kBase + 40, 8, true, 0x110);
  EXPECT_EQ(g_bad.size(), 0u);
}

TEST_F(FreedMemory, NotInTheNextExecution) {
  free_block(1, 64);
  begin();
  heap_blocks::begin_execution();
  access(0, kBase, 8, true, 0x100);
  EXPECT_EQ(g_bad.size(), 0u);
}

TEST(AccessNotes, TheEarlierAccessKeepsItsContextAndSize) {
  set_race_sink([](const RaceReport& race) { g_races.push_back(race); });
  begin();
  g_races.clear();
  start(0, 1);
  race_detector_access(0, kBase, 8, true, 0x100, 41);
  race_detector_access(0, kBase + 64, 40, true, 0x100, 42);
  race_detector_access(1, kBase + 4, 4, false, 0x200, 43);
  race_detector_access(1, kBase + 96, 8, false, 0x210, 44);
  set_race_sink(nullptr);
  ASSERT_EQ(g_races.size(), 2u);
  ASSERT_NE(g_races[0].first, nullptr);
  EXPECT_EQ(g_races[0].first->context, 41u);
  EXPECT_EQ(g_races[0].first->size, 8u);
  EXPECT_EQ(g_races[0].first->events, 2u);
  EXPECT_EQ(g_races[0].second->context, 43u);
  ASSERT_NE(g_races[1].first, nullptr);
  EXPECT_EQ(g_races[1].first->context, 42u);
}

TEST(FullTables, AreSaidOnce) {
  begin();
  start(0, 1);
  ::testing::internal::CaptureStderr();
  for (uint32_t i = 0; i < 6000; ++i) {
    race_detector_access(0, kBase + 8 * i, 8, true, 0x100000 + 64 * i);
    race_detector_access(1, kBase + 8 * i, 8, true, 0x100020 + 64 * i);
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("too many racing pairs of positions"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
}

}  // namespace
}  // namespace heddle::rt
