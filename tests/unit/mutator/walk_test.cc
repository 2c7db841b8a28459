// Which ways the walks of `mixed` take, and when.
#include "mutator/modes/walk.h"

#include <gtest/gtest.h>

namespace heddle::mutator {
namespace {

uint32_t surw_among(PublishedSystem& walks, uint32_t count, Rng& rng) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; ++i) found += walks.next(Schedule{}, rng).strategy == StrategyId::surw;
  return found;
}

TEST(Walk, SurwHasMoreTurnsLate) {
  Rng rng(1);
  const auto walks = make_walks();
  EXPECT_EQ(surw_among(*walks, 512, rng), 512u / 8);
  EXPECT_EQ(surw_among(*walks, 1100, rng), 1100u * 4 / 11);
}

}  // namespace
}  // namespace heddle::mutator
