// What an explanation says.
#include "harness/cli/explanation_text.h"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

Explanation counted(size_t findings, size_t runs) {
  Explanation e;
  e.found = true;
  e.conditions.push_back(Order{Element{.thread = kMainThread, .site = 1, .occurrence = 1, .kind = Kind::atomic_load},
                               Element{.thread = child_thread(kMainThread, 0), .site = 2, .occurrence = 1, .kind = Kind::atomic_store}});
  e.with = {runs, findings};
  e.opposite.resize(1);
  return e;
}

TEST(Explanation, AGuessIsRefutedIfTheFindingMostlyDidNotCome) {
  EXPECT_TRUE(counted(0, 1).refuted());
  EXPECT_TRUE(counted(5, 10).refuted());
  EXPECT_FALSE(counted(6, 10).refuted());
  EXPECT_FALSE(counted(10, 10).refuted());
  EXPECT_FALSE(counted(0, 0).refuted());  // it was not counted
}

// The symbolizer may know a file without a line.
TEST(Explanation, WithoutLinesOperationsHaveTheirSymbols) {
  SiteNames names;
  names.add(1, {"/src/a.cc:0", "work", "work+0x1c"});
  names.add(2, {"/src/a.cc:0", "work", "work+0x2c"});
  const std::string text = explanation_text(counted(10, 10), names, {});
  EXPECT_NE(text.find("the load at work+0x1c (main) comes before the store at work+0x2c (main.0)"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::cli
