// Where the program's mappings lie and what is known of them: against a book that has a line for each page.
#include "heap/execution_mappings.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace heddle::rt {
namespace {

constexpr uintptr_t kPage = ExecutionMappings::kPage;
constexpr Freed kBy = {3, 4, 5};

// Nothing is really mapped: what the book unmaps at the end of an execution was never there, which the kernel does not mind.
struct MappingsBook : ::testing::Test {
  static ExecutionMappings& fresh(bool again) {
    execution_mappings().initialise();
    execution_mappings().renew(false);
    execution_mappings().begin(again);
    return execution_mappings();
  }
  static uintptr_t map(ExecutionMappings& m, size_t pages) {
    const auto at = reinterpret_cast<uintptr_t>(m.place(pages * kPage));
    m.add(at, at + pages * kPage);
    return at;
  }
  static bool ended(const ExecutionMappings& m, uintptr_t address) {
    uintptr_t begin;
    return m.ended_by(address, begin) != nullptr;
  }
};

TEST_F(MappingsBook, EveryExecutionHasTheSameAddresses) {
  ExecutionMappings& m = fresh(false);
  std::vector<uintptr_t> first, second;
  for (std::vector<uintptr_t>* at : {&first, &second}) {
    for (size_t pages : {1, 3, 1024, 2, 1}) at->push_back(map(m, pages));
    m.renew(false);
    EXPECT_EQ(m.count(), 0u);
    m.begin(false);
  }
  EXPECT_EQ(first, second);
}

TEST_F(MappingsBook, AnAddressIsUsedAgainOnlyWhereThatIsWanted) {
  for (const bool again : {false, true}) {
    ExecutionMappings& m = fresh(again);
    const uintptr_t first = map(m, 2);
    m.end(first, first + 2 * kPage, kBy);
    EXPECT_EQ(map(m, 2) == first, again);
  }
}

TEST_F(MappingsBook, WhatIsLargeBeginsWhereAHugePageDoes) {
  ExecutionMappings& m = fresh(false);
  map(m, 1);
  EXPECT_EQ(map(m, 512) % (512 * kPage), 0u);
}

TEST_F(MappingsBook, ThereIsNoPlaceForMoreThanThereIs) {
  ExecutionMappings& m = fresh(false);
  EXPECT_EQ(m.place(size_t{1} << 44), nullptr);
  EXPECT_EQ(m.place(~size_t{0} - 3 * kPage), nullptr);
  EXPECT_NE(m.place(size_t{1} << 40), nullptr);
}

TEST_F(MappingsBook, WhatLiesElsewhereIsNotKnown) {
  ExecutionMappings& m = fresh(false);
  m.add(kPage, 2 * kPage);
  m.add(0x7fff'0000'0000, 0x7fff'0000'1000);
  EXPECT_EQ(m.count(), 0u);
}

TEST_F(MappingsBook, WhatIsKeptOutlivesExecutionsAndIsNotGivenOutAgain) {
  ExecutionMappings& m = fresh(true);
  const uintptr_t kept = map(m, 2), other = map(m, 2);
  for (int i = 0; i < 3; ++i) {
    m.keep(kept + kPage + 8);
    m.keep(other + 2 * kPage);  // just behind
    m.renew(false);
    EXPECT_EQ(m.count(), 1u);
    m.begin(true);
    EXPECT_GE(map(m, 1), kept + 2 * kPage);
  }
  m.renew(true);
  EXPECT_EQ(m.count(), 2u);
}

TEST_F(MappingsBook, WhoUnmappedItIsKnownUntilSomethingIsThereAgain) {
  ExecutionMappings& m = fresh(true);
  const uintptr_t at = map(m, 3);
  EXPECT_FALSE(ended(m, at));
  m.end(at + kPage, at + 3 * kPage, kBy);
  uintptr_t begin;
  const Freed* const by = m.ended_by(at + 2 * kPage + 1, begin);
  ASSERT_NE(by, nullptr);
  EXPECT_EQ(by->thread, kBy.thread);
  EXPECT_EQ(begin, at + kPage);
  EXPECT_FALSE(ended(m, at) || ended(m, at + 3 * kPage));
  map(m, 1);
  EXPECT_FALSE(ended(m, at + kPage));
  EXPECT_TRUE(ended(m, at + 2 * kPage));
  m.begin(true);
  EXPECT_FALSE(ended(m, at + 2 * kPage));
}

// Ranges of pages are made, made over others, and ended, in any order: the pages that are there, and those of which it is known who ended them, are those
// that were.
RC_GTEST_PROP(MappingsBookProperties, EveryPageIsAccountedFor, (const std::vector<std::tuple<uint8_t, uint8_t, bool>>& steps)) {
  ExecutionMappings& m = MappingsBook::fresh(false);
  const auto base = reinterpret_cast<uintptr_t>(m.place(kPage));
  enum class Page { live, gone };
  std::map<uintptr_t, Page> pages;
  for (const auto& [first, count, makes] : steps) {
    const uintptr_t begin = base + first % 64 * kPage, end = begin + count % 16 * kPage;
    if (makes) m.add(begin, end);
    else m.end(begin, end, kBy);
    for (uintptr_t at = begin; at < end; at += kPage) pages[at] = makes ? Page::live : Page::gone;
  }
  for (uintptr_t at = base; at < base + 80 * kPage; at += kPage) {
    const bool gone = pages.count(at) != 0 && pages[at] == Page::gone;
    RC_ASSERT(MappingsBook::ended(m, at) == gone);
  }
  // None lies where the next one is placed, and the book has a range for each page at most.
  size_t live = 0;
  for (const auto& [at, page] : pages) live += page == Page::live;
  RC_ASSERT(m.count() <= live);
  RC_ASSERT((m.count() == 0) == (live == 0));
  const auto next = reinterpret_cast<uintptr_t>(m.place(3 * kPage));
  for (uintptr_t at = next; at < next + 3 * kPage; at += kPage) RC_ASSERT(pages.count(at) == 0 || pages[at] == Page::gone);
}

}  // namespace
}  // namespace heddle::rt
