// The race detector against the slow reference, over random histories of memory: accesses of every size and kind to memory that is freed, reused,
// mapped again, discarded and used as a stack, with and without order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <random>

#include "memory_history.h"

namespace heddle::rt {
namespace {

using Steps = std::vector<Step>;

std::string disagreement(const Steps& steps, Manner manner, bool* races = nullptr) {
  MemoryHistory history(manner);
  for (const Step& s : steps) history.step(s);
  history.probe();
  if (races != nullptr) *races = history.races();
  return history.disagreement();
}

RC_GTEST_PROP(SlowReference, AgreesWithTheDetector, (bool ordered, bool own_position)) {
  const auto steps = *rc::gen::scale(2, rc::gen::arbitrary<Steps>());
  RC_ASSERT(disagreement(steps, {ordered, own_position}) == "");
}

// Longer ones. What is left of one that fails when no step can be taken away from it any more is what is said.
TEST(SlowReference, AgreesWithTheDetectorOverLongHistories) {
  constexpr uint32_t kRuns = 5000;
  uint32_t racing = 0;
  for (uint32_t seed = 1; seed <= kRuns; ++seed) {
    std::mt19937 rng(seed);
    Steps steps(20 + rng() % 200);
    for (Step& s : steps) s = {rng(), rng(), rng(), rng()};
    const Manner manner{rng() % 2 == 0, rng() % 2 == 0};
    bool races = false;
    if (disagreement(steps, manner, &races).empty()) {
      racing += races;
      continue;
    }
    for (size_t i = 0; i < steps.size();) {
      Steps fewer = steps;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (disagreement(fewer, manner).empty()) ++i;
      else steps = fewer;
    }
    FAIL() << "seed " << seed << ", " << steps.size() << " steps: " << ::testing::PrintToString(steps) << '\n' << disagreement(steps, manner);
  }
  EXPECT_GT(racing, kRuns / 4);
}

}  // namespace
}  // namespace heddle::rt
