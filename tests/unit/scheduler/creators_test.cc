// Creators first (scheduler/registry.cc): an order of threads is about as likely as its reverse, in any order of creation.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "controlled_run.h"

extern "C" int __tsan_atomic32_fetch_add(volatile int*, int, int);

namespace heddle::test {
namespace {

constexpr int kSeeds = 12000;

// The order in which five threads came to their only operation.
std::string order(const Schedule& schedule) {
  std::string came(5, ' ');
  run(schedule, [&] {
    int next = 0;
    std::vector<std::thread> threads;
    for (char name = 'a'; name < 'f'; ++name) {
      threads.emplace_back([&, name] { came[static_cast<size_t>(__tsan_atomic32_fetch_add(&next, 1, 5))] = name; });
    }
    for (std::thread& t : threads) t.join();
  });
  return came;
}

std::map<std::string, int> orders(StrategyId strategy) {
  std::map<std::string, int> seen;
  Schedule s;
  s.strategy = strategy;
  for (s.seed = 1; s.seed <= kSeeds; ++s.seed) ++seen[order(s)];
  return seen;
}

TEST(Creators, NoOrderOfThreadsIsRare) {
  const auto seen = orders(StrategyId::automatic);
  EXPECT_EQ(seen.size(), 120u);
  int rarest = kSeeds;
  for (const auto& [name, times] : seen) rarest = std::min(rarest, times);
  EXPECT_GT(rarest, kSeeds / 120 / 3);
}

// A strategy that the schedule names is what its authors published.
TEST(Creators, OnlyWhereTheSeedDrawsTheStrategyToo) {
  auto seen = orders(StrategyId::random_walk);
  EXPECT_LT(seen["edcba"], seen["abcde"] / 20);
}

TEST(Creators, WhoCreatesThreadsForEverIsNotAllThereIs) {
  int crowded = 0;
  const Ends ends = run_seeds(80, [&] {
    std::atomic<bool> seen = false;
    int volatile looks = 0;
    std::vector<std::thread> threads;
    while (!seen) threads.emplace_back([&] { __tsan_atomic32_fetch_add(&looks, 1, 5), seen = true; });
    crowded += threads.size() > 100;
    for (std::thread& t : threads) t.join();
  });
  EXPECT_EQ(ends.finished, 80);
  EXPECT_LT(crowded, 30);  // run to block, and priorities that have main above all, do so, too, until their window is over
}

}  // namespace
}  // namespace heddle::test
