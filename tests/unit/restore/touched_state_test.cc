#include "restore/touched_state.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using heddle::rt::put_back_touched_state;
using heddle::rt::TouchedState;

std::string g_put_back;
TouchedState g_one{[] { g_put_back += '1'; }}, g_two{[] { g_put_back += '2'; }}, g_own{nullptr};

TEST(TouchedState, IsPutBackOnceTheLatestFirst) {
  put_back_touched_state();
  EXPECT_EQ(g_put_back, "");
  EXPECT_TRUE(g_one.touch());
  EXPECT_TRUE(g_own.touch());
  EXPECT_TRUE(g_two.touch());
  EXPECT_FALSE(g_one.touch());
  EXPECT_FALSE(g_own.touch());
  put_back_touched_state();
  EXPECT_EQ(g_put_back, "21");
  put_back_touched_state();
  EXPECT_EQ(g_put_back, "21");
  EXPECT_TRUE(g_own.touch());
  EXPECT_TRUE(g_one.touch());
  put_back_touched_state();
  EXPECT_EQ(g_put_back, "211");
}

}  // namespace
