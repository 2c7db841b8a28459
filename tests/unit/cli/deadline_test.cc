#include "harness/cli/deadline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::cli {
namespace {

TEST(Deadline, TheEarlierOneHoldsInItsScope) {
  EXPECT_TRUE(std::isinf(Deadline::left()));
  {
    const Deadline outer(100);
    EXPECT_NEAR(Deadline::left(), 100, 10);
    {
      const Deadline inner(10);
      EXPECT_LE(Deadline::left(), 10);
      const Deadline later(50), none(INFINITY);
      EXPECT_LE(Deadline::left(), 10);
      EXPECT_EQ(Deadline::milliseconds_left(7), 7);
      EXPECT_LE(Deadline::milliseconds_left(60'000), 10'000);
    }
    EXPECT_GT(Deadline::left(), 50);
    const Deadline over(-1);
    EXPECT_TRUE(Deadline::passed());
    EXPECT_EQ(Deadline::milliseconds_left(60'000), 0);
  }
  EXPECT_TRUE(std::isinf(Deadline::left()));
  EXPECT_EQ(Deadline::milliseconds_left(60'000), 60'000);
}

TEST(Deadline, ACommandTakesNotMuchLongerInRealTime) {
  EXPECT_LT(Deadline::of_command(20), 30);
  EXPECT_GT(Deadline::of_command(20), 25);
  EXPECT_EQ(Deadline::of_command(1), 3);
}

}  // namespace
}  // namespace heddle::cli
