// The tree of calling contexts (trace/contexts.h): whatever it guesses, it gives the node of the parent and the call.
#include "trace/contexts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace heddle::rt {
namespace {

class ContextsTest : public testing::Test {
 protected:
  void SetUp() override {
    sites().initialise();
    contexts().initialise();
  }
  // The node, checked against what was given before for the same call.
  uint32_t child(uint32_t parent, uintptr_t call_pc) {
    const uint32_t node = contexts().child(parent, call_pc);
    const auto [known, is_new] = nodes_.try_emplace({parent, call_pc}, node);
    EXPECT_EQ(known->second, node);
    if (is_new) EXPECT_EQ(node, nodes_.size());  // one more, after the root
    EXPECT_EQ(contexts()[node].parent, parent);
    EXPECT_EQ(contexts()[node].call_pc, call_pc);
    return node;
  }
  std::map<std::pair<uint32_t, uintptr_t>, uint32_t> nodes_;
};

TEST_F(ContextsTest, TheSameCallsInAnyOrder) {
  std::mt19937 random(1);
  std::vector<uint32_t> all{0};
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t parent = all[random() % std::min<size_t>(all.size(), 60)];
    const uint32_t node = child(parent, 0x1000 + random() % 7);
    if (node == all.size()) all.push_back(node);
  }
}

TEST_F(ContextsTest, RoundsOfCallsWithSomeLeftOut) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    for (uintptr_t outer = 0x1000; outer < 0x1010; ++outer) {
      if (random() % 8 == 0) continue;
      const uint32_t node = child(0, outer);
      for (uintptr_t inner = 0x1000; inner < 0x1004; ++inner) {
        if (random() % 8 != 0) child(node, inner);
      }
    }
  }
}

TEST_F(ContextsTest, ARecursiveCallIsAChildOfItself) {
  uint32_t node = 0;
  for (int depth = 0; depth < 100; ++depth) node = child(node, 0x1000);
  EXPECT_EQ(node, 100u);
}

}  // namespace
}  // namespace heddle::rt
