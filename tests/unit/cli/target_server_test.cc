#include "harness/cli/target_server.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "harness/cli/search_clock.h"
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

// Of a process that goes on after an execution, of one that ends with a finding, and of those that a server starts after it was stopped.
TEST(TargetServer, TellsTheProcessorTimeOfAllItsProcesses) {
  TargetServer server(ORDERS_TARGET);
  double last = 0;
  bool found = false, passed = false;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Schedule schedule;
    schedule.seed = seed;
    schedule.payload = {'u'};
    (server.run(encode_schedule(schedule), kLimit).found ? found : passed) = true;
    ASSERT_GT(server.processor_seconds(), last) << "seed " << seed;
    last = server.processor_seconds();
  }
  EXPECT_TRUE(found && passed);
}

TEST(SearchClock, CountsNoMoreThanAThirdOfTheTimeInWhichNothingRuns) {
  TargetServer server(ORDERS_TARGET);
  const SearchClock clock(server);
  const auto begun = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double counted = clock.seconds();
  EXPECT_GE(counted, 0.1);
  EXPECT_LT(counted, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() / 2);
}

TEST(SearchClock, CountsWhatTheTargetRuns) {
  TargetServer server(ORDERS_TARGET);
  const SearchClock clock(server);
  server.run({}, kLimit);
  EXPECT_GE(clock.seconds(), server.processor_seconds());
  EXPECT_GT(server.processor_seconds(), 0);
}

}  // namespace
}  // namespace heddle::cli
