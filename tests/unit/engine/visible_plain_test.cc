#include "engine/visible_plain.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle::rt {
namespace {

constexpr SiteId kSites[] = {7, 9};
constexpr uintptr_t kPc = 0x5555'5555'1234;

TEST(VisiblePlain, HasTheSitesOfItsExecution) {
  const auto visible = std::make_unique<VisiblePlain>();
  visible->initialise();
  visible->begin(kSites);
  EXPECT_TRUE(visible->any());
  EXPECT_TRUE(visible->contains(7));
  EXPECT_TRUE(visible->contains(9));
  EXPECT_FALSE(visible->contains(8));
  visible->begin({});
  EXPECT_FALSE(visible->any());
  EXPECT_FALSE(visible->contains(7));
}

TEST(VisiblePlain, WhatWasPassedOverHoldsForOneExecution) {
  const auto visible = std::make_unique<VisiblePlain>();
  visible->initialise();
  visible->begin(kSites);
  visible->pass_over(kPc);
  EXPECT_TRUE(visible->passes_over(kPc));
  EXPECT_FALSE(visible->passes_over(kPc + 1));
  // More of them than their number has values.
  for (int i = 0; i < 70'000; ++i) {
    if (i % 3 == 0) visible->begin({});
    visible->begin({kSites, 1});
    ASSERT_FALSE(visible->passes_over(kPc)) << i;
  }
}

}  // namespace
}  // namespace heddle::rt
