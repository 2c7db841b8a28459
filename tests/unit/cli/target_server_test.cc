#include "harness/cli/target_server.h"

#include <cstdint>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "schema/codec.h"
#include "schema/trace_file.h"

namespace heddle::cli {
namespace {

constexpr unsigned kLimit = 60'000;

TEST(TargetServer, AnswersAsTheFirstExecutionOfAProcessWould) {
  TargetServer server(KEEPS_STATE);
  const uint8_t input[] = {'x'};
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(server.run(input, kLimit).found) << "execution " << i;
}

TEST(TargetServer, AnswersTheSameWhateverCameBefore) {
  constexpr uint64_t kSeeds = 40;
  TargetServer server(ORDERS_TARGET);
  const auto run = [&](uint64_t seed) {
    Schedule schedule;
    schedule.seed = seed;
    schedule.payload = {'u'};
    const Execution made = server.run(encode_schedule(schedule), kLimit);
    return std::tuple(made.found, made.signature, made.has_trace ? trace_hash(made.trace.summary()) : 0);
  };
  std::vector<decltype(run(0))> upwards;
  bool found = false, passed = false;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    upwards.push_back(run(seed));
    (std::get<0>(upwards.back()) ? found : passed) = true;
    ASSERT_NE(std::get<2>(upwards.back()), 0u) << "seed " << seed;
  }
  EXPECT_TRUE(found && passed);
  for (uint64_t seed = kSeeds; seed-- > 0;) EXPECT_EQ(run(seed), upwards[seed]) << "seed " << seed;
}

}  // namespace
}  // namespace heddle::cli
