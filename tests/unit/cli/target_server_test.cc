#include "harness/cli/target_server.h"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "harness/cli/deadline.h"
#include "harness/cli/search_clock.h"
#include "schema/codec.h"
#include "schema/trace_file.h"

namespace heddle::cli {
namespace {

constexpr unsigned kLimit = 60'000;
constexpr char kOptions[] = "known='':stdin=1";  // a whole program reads its data bytes there

TEST(TargetServer, AnswersAsTheFirstExecutionOfAProcessWould) {
  for (const char* const target : {KEEPS_STATE, KEEPS_STATE_PROGRAM}) {
    TargetServer server(target);
    const uint8_t input[] = {'x'};
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(server.run(input, kLimit).found) << target << ": execution " << i;
  }
}

class ManySeeds : public testing::TestWithParam<const char*> {
 protected:
  static constexpr uint64_t kSeeds = 40;
  static Execution run(TargetServer& server, uint64_t seed) {
    Schedule schedule;
    schedule.seed = seed;
    schedule.payload = {'u'};
    return server.run(encode_schedule(schedule), kLimit);
  }
};
INSTANTIATE_TEST_SUITE_P(TargetServer, ManySeeds, testing::Values(ORDERS_TARGET, ORDERS_PROGRAM),
                         [](const auto& its) { return its.index == 0 ? "Harness" : "WholeProgram"; });

TEST_P(ManySeeds, AnswersTheSameWhateverCameBefore) {
  TargetServer server(GetParam(), kOptions);
  const auto outcome = [&](uint64_t seed) {
    const Execution made = run(server, seed);
    return std::tuple(made.found, made.signature, made.has_trace ? trace_hash(made.trace.summary()) : 0);
  };
  std::vector<decltype(outcome(0))> upwards;
  bool found = false, passed = false;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    upwards.push_back(outcome(seed));
    (std::get<0>(upwards.back()) ? found : passed) = true;
    ASSERT_NE(std::get<2>(upwards.back()), 0u) << "seed " << seed;
  }
  EXPECT_TRUE(found && passed);
  for (uint64_t seed = kSeeds; seed-- > 0;) EXPECT_EQ(outcome(seed), upwards[seed]) << "seed " << seed;
}

// A process for each takes several times as long.
TEST(TargetServer, ExecutionsOfAWholeProgramThatPassShareAProcess) {
  constexpr int kPassing = 200;
  Schedule schedule;
  schedule.payload = {'?'};  // none of its bugs
  const auto input = encode_schedule(schedule);
  const auto cost = [&](const char* options) {
    TargetServer server(ORDERS_PROGRAM, options);
    server.run(input, kLimit);
    const double begin = server.processor_seconds();
    for (int i = 0; i < kPassing; ++i) EXPECT_FALSE(server.run(input, kLimit).found);
    return server.processor_seconds() - begin;
  };
  EXPECT_LT(2 * cost(kOptions), cost("known='':stdin=1:restore=fork"));
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
  const SearchClock clock(server, 20);
  const auto begun = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double counted = clock.seconds();
  EXPECT_GE(counted, 0.1);
  EXPECT_LT(counted, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() / 2);
}

TEST(SearchClock, AtTheDeadlineAllOfTheTimeIsOver) {
  TargetServer server(ORDERS_TARGET);
  const Deadline deadline(0.4);
  const SearchClock clock(server, 20);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_GE(clock.seconds(), 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_GE(clock.seconds(), 20);
}

TEST(TargetServer, WaitsNoLongerThanTheDeadline) {
  TargetServer server(ORDERS_TARGET);
  server.run({}, kLimit);
  {
    const Deadline deadline(0);
    EXPECT_THROW(server.run({}, kLimit), OutOfTime);
    EXPECT_THROW(server.run({}, kLimit), OutOfTime);  // it would have to start again
  }
  EXPECT_TRUE(server.run({}, kLimit).has_trace);
}

TEST(SearchClock, CountsWhatTheTargetRuns) {
  TargetServer server(ORDERS_TARGET);
  const SearchClock clock(server, 20);
  server.run({}, kLimit);
  EXPECT_GE(clock.seconds(), server.processor_seconds());
  EXPECT_GT(server.processor_seconds(), 0);
}

}  // namespace
}  // namespace heddle::cli
