// Where copies are divided (intercept/copy_parts.h). Programs with torn copies are in tests/programs/fail/plain and library.
#include "intercept/copy_parts.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::rt {
namespace {

TEST(CopyParts, AWordIsNotDivided) {
  for (size_t size = 0; size <= 8; ++size) EXPECT_EQ(first_part(size, 1), size);
}

TEST(CopyParts, TheSecondPartBeginsWithAWord) {
  for (size_t size = 9; size < 300; ++size) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const size_t first = first_part(size, seed);
      EXPECT_GE(first, 8u) << size;
      EXPECT_LT(first, size) << size;
      EXPECT_EQ(first % 8, 0u) << size;
    }
  }
}

TEST(CopyParts, SeedsDivideAtEachWord) {
  std::set<size_t> first;
  for (uint64_t seed = 0; seed < 1000; ++seed) first.insert(first_part(160, seed));
  EXPECT_EQ(first.size(), 19u);
}

TEST(CopyParts, OftenTheFirstOrTheLastWordIsApart) {
  int begins = 0, ends = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    begins += first_part(8000, seed) == 8;
    ends += first_part(8000, seed) == 7992;
  }
  EXPECT_GT(begins, 200);
  EXPECT_GT(ends, 200);
}

TEST(CopyParts, WhatIsNotVisibleStaysWhole) {
  char to[64] = {}, from[64] = "text";
  const auto hidden = [](size_t done, bool) {
    EXPECT_EQ(done, 0u);
    return false;
  };
  EXPECT_EQ(begin_copy(to, from, [] { return size_t{64}; }, hidden), 0u);
  EXPECT_EQ(to[0], 0);
}

TEST(CopyParts, TheRestIsReportedWhereTheFirstPartWasVisible) {
  char to[64] = {}, from[64] = "text";
  std::vector<std::pair<size_t, bool>> reported;
  const auto written = [&](size_t done, bool write) {
    EXPECT_EQ(to[0] != 0, done != 0) << "the first part is copied between the two";
    reported.emplace_back(done, write);
    return write;
  };
  const size_t first = begin_copy(to, from, [] { return size_t{64}; }, written);
  EXPECT_EQ(first, first_part(64));
  EXPECT_EQ(reported, (std::vector<std::pair<size_t, bool>>{{0, false}, {0, true}, {first, true}}));
}

TEST(CopyParts, OverlappingCopiesToTheFrontAreDividedAndOthersStayWhole) {
  const auto visible = [](size_t, bool) { return true; };
  const auto size = [] { return size_t{40}; };
  std::string bytes = "0123456789012345678901234567890123456789abcdefgh";
  const std::string moved = bytes.substr(8);
  const size_t first = begin_copy(bytes.data(), bytes.data() + 8, size, visible);
  EXPECT_EQ(first, first_part(40));
  memmove(bytes.data() + first, bytes.data() + 8 + first, 40 - first);
  EXPECT_EQ(bytes.substr(0, 40), moved);
  EXPECT_EQ(begin_copy(bytes.data() + 8, bytes.data(), size, visible), 0u);
  EXPECT_EQ(begin_copy(bytes.data(), bytes.data(), size, visible), 0u);
}

}  // namespace
}  // namespace heddle::rt
