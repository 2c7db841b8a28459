// Each strategy against a reference that draws from a stream (docs/design/runtime-laws.md#decisions): two threads of four
// writes to one object, 70 interleavings, compared by chi square. Everything is seeded: the same numbers in every run.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "scheduler/strategy.h"

namespace heddle::rt {
namespace {

constexpr int kOps = 4;
constexpr int kRuns = 20'000;
// 69 degrees of freedom: 1 in a million is beyond 138.
constexpr double kLimit = 138;

using Histogram = std::map<std::string, int>;

Pending op_of(uint32_t thread, uint32_t n) {
  Pending p = {};
  p.thread_index = thread;
  p.thread = child_thread(kMainThread, thread);
  p.site = mix(17, 100 * thread + n) | 1;
  p.kind = Kind::plain_write;
  p.object_index = 1;
  p.object_id = 99;
  p.occurrence = 1;
  p.enabled = true;
  p.identity = mix(mix(p.thread, p.site), 1ull << 8 | static_cast<uint8_t>(p.kind));
  return p;
}

// One run of the two threads. "0110..." are the threads that went.
std::string interleaving(const Strategy& strategy, const ScheduleView& schedule) {
  strategy.begin(schedule);
  Pending ops[2];
  uint32_t done[2] = {};
  uint64_t last = 0;
  uint32_t last_thread = 0;
  const auto post = [&](uint32_t t) {
    ops[t] = op_of(t, done[t]);
    if (strategy.posted != nullptr) strategy.posted(ops[t]);
  };
  post(0);
  post(1);
  std::string path;
  while (done[0] < kOps || done[1] < kOps) {
    Pending* live[2];
    uint32_t count = 0;
    for (uint32_t t = 0; t < 2; ++t) {
      if (done[t] < kOps) live[count++] = &ops[t];
    }
    const uint32_t chosen = count == 1 ? 0 : strategy.pick(live, count, {{schedule.seed, last}, last_thread});
    const Pending gone = *live[chosen];
    if (strategy.executed != nullptr) strategy.executed(gone, live, count);
    last = gone.identity;
    last_thread = gone.thread_index;
    path += static_cast<char>('0' + last_thread);
    if (++done[last_thread] < kOps) post(last_thread);
  }
  return path;
}

Histogram sample(StrategyId id, ScheduleView schedule = {}) {
  const Strategy* strategy = find_strategy(id);
  Histogram h;
  for (int seed = 1; seed <= kRuns; ++seed) {
    schedule.seed = mix(seed, 1);
    ++h[interleaving(*strategy, schedule)];
  }
  return h;
}

using Step = std::function<uint32_t(const std::array<int, 2>& left)>;

// `start` makes the chooser of one run.
Histogram reference(const std::function<Step(std::mt19937_64&)>& start) {
  std::mt19937_64 stream(20240229);
  Histogram h;
  for (int run = 0; run < kRuns; ++run) {
    const Step step = start(stream);
    std::array<int, 2> left = {kOps, kOps};
    std::string path;
    while (left[0] + left[1] > 0) {
      const uint32_t t = step(left);
      --left[t];
      path += static_cast<char>('0' + t);
    }
    ++h[path];
  }
  return h;
}

// For two samples of equal size.
double chi_square(const Histogram& a, const Histogram& b) {
  std::map<std::string, std::array<double, 2>> both;
  for (const auto& [path, n] : a) both[path][0] = n;
  for (const auto& [path, n] : b) both[path][1] = n;
  double sum = 0;
  for (const auto& [path, n] : both) sum += (n[0] - n[1]) * (n[0] - n[1]) / (n[0] + n[1]);
  return sum;
}

uint32_t coin(std::mt19937_64& stream, const std::array<int, 2>& left) {
  if (left[0] == 0 || left[1] == 0) return left[0] == 0;
  return stream() >> 63;
}

TEST(Strategies, RandomWalk) {
  const Histogram h = sample(StrategyId::random_walk);
  EXPECT_EQ(h.size(), 70u);
  EXPECT_LT(chi_square(h, reference([](std::mt19937_64& stream) {
                return [&stream](const std::array<int, 2>& left) { return coin(stream, left); };
              })),
            kLimit);
  // Strict alternation: 2 of 2^7 for a walk; for priorities without redraws it practically never comes.
  const int alternating = h.at("01010101") + h.at("10101010");
  EXPECT_NEAR(alternating, kRuns / 64.0, 5 * std::sqrt(kRuns / 64.0));
}

// All ops conflict: each step draws again for the op that lost, and the next op of the thread that went has a draw of its own.
TEST(Strategies, Pos) {
  const Histogram h = sample(StrategyId::pos);
  EXPECT_LT(chi_square(h, reference([](std::mt19937_64& stream) {
                return [&stream](const std::array<int, 2>& left) { return coin(stream, left); };
              })),
            kLimit);
}

TEST(Strategies, PosWithoutConflictsKeepsItsDraws) {
  const Histogram wrong = reference([](std::mt19937_64& stream) {
    auto priority = std::make_shared<std::array<uint64_t, 2>>();
    *priority = {stream(), stream()};
    return [&stream, priority](const std::array<int, 2>& left) -> uint32_t {
      if (left[0] == 0 || left[1] == 0) return left[0] == 0;
      const uint32_t t = (*priority)[1] > (*priority)[0];
      (*priority)[t] = stream();  // the loser's stays
      return t;
    };
  });
  EXPECT_GT(chi_square(sample(StrategyId::pos), wrong), 10 * kLimit);
}

TEST(Strategies, Sticky) {
  ScheduleView schedule;
  schedule.stickiness = 192;
  EXPECT_LT(chi_square(sample(StrategyId::sticky, schedule), reference([](std::mt19937_64& stream) {
                         auto last = std::make_shared<uint32_t>(0);
                         return [&stream, last](const std::array<int, 2>& left) -> uint32_t {
                           if (left[0] == 0 || left[1] == 0) return left[0] == 0;
                           if (stream() % 4 != 0) return *last;
                           return *last = coin(stream, left);
                         };
                       })),
            kLimit);
}

TEST(Strategies, PctTakesPrioritiesFromTheInput) {
  const Strategy& pct = *find_strategy(StrategyId::pct);
  for (const uint32_t second : {0u, ~0u}) {
    const ThreadWeight weight[] = {{child_thread(kMainThread, 1), second, 0}};
    ScheduleView schedule;
    schedule.pct_depth = 1;
    schedule.weights = weight;
    for (schedule.seed = 1; schedule.seed <= 100; ++schedule.seed) {
      EXPECT_EQ(interleaving(pct, schedule), second == 0 ? "00001111" : "11110000");
    }
  }
}

TEST(Strategies, Pct) {
  ScheduleView schedule;
  schedule.pct_depth = 3;
  schedule.step_estimate = 8;
  EXPECT_LT(chi_square(sample(StrategyId::pct, schedule), reference([](std::mt19937_64& stream) {
                         struct State {
                           std::array<double, 2> priority;
                           double low = 0;
                           std::array<int, 2> posted = {-1, -1};
                         };
                         auto s = std::make_shared<State>();
                         const double a = (stream() >> 1) + 1.0, b = (stream() >> 1) + 1.0;
                         s->priority = {a, b};
                         return [&stream, s](const std::array<int, 2>& left) -> uint32_t {
                           for (int t = 0; t < 2; ++t) {
                             if (left[t] == 0 || s->posted[t] == left[t]) continue;
                             s->posted[t] = left[t];
                             if (stream() % 4 == 0) s->priority[t] = --s->low;  // (d - 1) / k
                           }
                           if (left[0] == 0 || left[1] == 0) return left[0] == 0;
                           return s->priority[1] > s->priority[0];
                         };
                       })),
            kLimit);
}

// With the right counts SURW draws every interleaving of the interesting ops equally often.
TEST(Strategies, SurwIsUniform) {
  const ThreadWeight weights[2] = {{child_thread(kMainThread, 0), kOps, 0}, {child_thread(kMainThread, 1), kOps, 0}};
  ScheduleView schedule;
  schedule.weights = weights;
  schedule.surw_site = op_of(0, 0).site;
  const Histogram h = sample(StrategyId::surw, schedule);
  EXPECT_EQ(h.size(), 70u);
  const double expected = kRuns / 70.0;
  double sum = 0;
  for (const auto& [path, n] : h) sum += (n - expected) * (n - expected) / expected;
  EXPECT_LT(sum, kLimit);
  EXPECT_GT(chi_square(h, sample(StrategyId::random_walk)), 10 * kLimit);
}

TEST(Strategies, RoundRobinRunsToBlock) {
  const Histogram h = sample(StrategyId::round_robin);
  EXPECT_EQ(h.size(), 1u);
  EXPECT_EQ(h.begin()->first, "00001111");
}

// Who writes goes before who reads; among writers, and when all read, it is a walk.
TEST(Strategies, WritesFirst) {
  const Strategy& strategy = *find_strategy(StrategyId::writes_first);
  Pending ops[3] = {op_of(0, 0), op_of(1, 0), op_of(2, 0)};
  Pending* const live[] = {&ops[0], &ops[1], &ops[2]};
  const auto picked = [&] {
    std::array<int, 3> count{};
    for (uint64_t seed = 1; seed <= 3000; ++seed) ++count[strategy.pick(live, 3, {{mix(seed, 1), 7}, 0})];
    return count;
  };
  for (int c : picked()) EXPECT_GT(c, 850);
  ops[1].kind = Kind::atomic_load;
  EXPECT_EQ(picked()[1], 0);
  EXPECT_GT(picked()[0], 1300);
  ops[0].kind = Kind::mutex_lock;
  EXPECT_EQ(picked()[2], 3000);
  ops[1].kind = Kind::thread_start;  // leaves no choice, so it does not wait
  EXPECT_GT(picked()[1], 1300);
  ops[1].kind = ops[2].kind = Kind::atomic_cas;
  for (int c : picked()) EXPECT_GT(c, 850);
}

// Each thread makes the same number of writes in a row, and then the other one; which number, by seed. It begins with the thread that runs.
TEST(Strategies, Turns) {
  const Histogram h = sample(StrategyId::turns);
  const auto percent = [&](const char* path) { return h.contains(path) ? h.at(path) * 100 / kRuns : 0; };
  EXPECT_GT(percent("01010101"), 20);  // a random walk: 1.4 %
  EXPECT_GT(percent("00110011"), 15);
  EXPECT_GT(percent("00001111"), 10);
  EXPECT_GT(h.size(), 20u);  // a thread may have a second turn at once
}

// Three threads make the same two operations. Either all make the first one before any makes the second, or each makes both in a row.
TEST(Strategies, ThreadsGatherAtPlacesOfLowPriority) {
  constexpr uint32_t kThreads = 3;
  const Strategy* const strategy = find_strategy(StrategyId::places);
  int gathered = 0, in_a_row = 0;
  std::map<std::string, int> firsts;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    ScheduleView schedule;
    schedule.seed = seed;
    strategy->begin(schedule);
    Pending ops[kThreads];
    uint32_t done[kThreads] = {};
    std::string path;
    uint32_t last_thread = 9;
    while (path.size() < 2 * kThreads) {
      Pending* live[kThreads];
      uint32_t count = 0;
      for (uint32_t t = 0; t < kThreads; ++t) {
        if (done[t] == 2) continue;
        ops[t] = op_of(t, done[t]);
        ops[t].site = 1 + done[t];
        live[count++] = &ops[t];
      }
      last_thread = live[strategy->pick(live, count, {{seed, path.size()}, last_thread})]->thread_index;
      ++done[last_thread];
      path += static_cast<char>('0' + last_thread);
    }
    std::string first = path.substr(0, kThreads);
    ++firsts[first];
    std::sort(first.begin(), first.end());
    gathered += first == "012";
    in_a_row += path[0] == path[1] && path[2] == path[3] && path[4] == path[5];
  }
  EXPECT_EQ(gathered + in_a_row, 1000);
  EXPECT_NEAR(gathered, 500, 60);
  EXPECT_EQ(firsts.size(), 6u + 6u);  // the order of the threads is drawn: 012 to 210, and 001 to 221
}

// The order in which the candidates stand never matters. Two steps, so that what a strategy keeps of the first matters, too.
TEST(Strategies, CandidatesHaveNoOrder) {
  constexpr uint32_t kCount = 4;
  const ThreadWeight weights[] = {{child_thread(kMainThread, 0), 3, 0}, {child_thread(kMainThread, 1), 1, 0},
                                  {child_thread(kMainThread, 2), 0, 0}, {child_thread(kMainThread, 3), 1u << 31, 0}};
  for (int id = 1; id < kStrategyCount; ++id) {
    const Strategy* strategy = find_strategy(static_cast<StrategyId>(id));
    for (uint64_t seed = 1; seed <= 200; ++seed) {
      ScheduleView schedule;
      schedule.seed = seed;
      if (seed % 2 == 0) schedule.weights = {weights, seed % 4 == 0 ? 4u : 3u};
      std::array<uint32_t, kCount> order = {0, 1, 2, 3};
      std::map<std::string, int> paths;
      do {
        strategy->begin(schedule);
        Pending ops[kCount];
        for (uint32_t t = 0; t < kCount; ++t) {
          ops[t] = op_of(t, 0);
          if (strategy->posted != nullptr) strategy->posted(ops[t]);
        }
        Pending* live[kCount];
        for (uint32_t i = 0; i < kCount; ++i) live[i] = &ops[order[i]];
        const uint32_t first = strategy->pick(live, kCount, {{seed, 7}, 9});
        const Pending gone = *live[first];
        if (strategy->executed != nullptr) strategy->executed(gone, live, kCount);
        *live[first] = op_of(gone.thread_index, 1);
        if (strategy->posted != nullptr) strategy->posted(*live[first]);
        const uint32_t second = strategy->pick(live, kCount, {{seed, gone.identity}, gone.thread_index});
        ++paths[std::to_string(gone.thread_index) + std::to_string(live[second]->thread_index)];
      } while (std::next_permutation(order.begin(), order.end()));
      EXPECT_EQ(paths.size(), 1u) << strategy->name << " " << seed;
    }
  }
}

// Many candidates are not looked at one by one. That changes nothing where the choice is no draw, and a draw stays uniform.
TEST(Strategies, ManyCandidates) {
  constexpr uint32_t kThreads = 60;
  for (const StrategyId id : {StrategyId::round_robin, StrategyId::pct, StrategyId::random_walk, StrategyId::sticky, StrategyId::pos, StrategyId::surw}) {
    const Strategy& strategy = *find_strategy(id);
    std::array<int, kThreads> drawn{};
    for (uint64_t seed = 1; seed <= 2000; ++seed) {
      ScheduleView schedule;
      schedule.seed = mix(seed, 11);
      schedule.pct_depth = 40;
      schedule.stickiness = 128;
      strategy.begin(schedule);
      std::mt19937 random(static_cast<uint32_t>(seed));
      std::vector<Pending> ops;
      for (uint32_t t = 0; t < kThreads; ++t) ops.push_back(op_of(t, 0));
      std::vector<Pending*> ready;
      std::vector<int32_t> slots(kThreads, -1);
      for (Pending& op : ops) {
        if (strategy.posted != nullptr) strategy.posted(op);
        if (op.thread_index % 3 == seed % 3) continue;
        slots[op.thread_index] = static_cast<int32_t>(ready.size());
        ready.push_back(&op);
      }
      uint32_t last = random() % kThreads;
      for (uint32_t step = 1; step <= 10; ++step) {
        const ChoiceContext few = {{schedule.seed, step}, last}, many = {{schedule.seed, step}, last, slots};
        const uint32_t place = strategy.pick(ready.data(), static_cast<uint32_t>(ready.size()), many);
        ASSERT_LT(place, ready.size());
        if (id == StrategyId::round_robin || id == StrategyId::pct || id == StrategyId::pos) {
          ASSERT_EQ(place, strategy.pick(ready.data(), static_cast<uint32_t>(ready.size()), few)) << strategy.name << " " << seed;
        }
        Pending& op = *ready[place];
        if (strategy.executed != nullptr) strategy.executed(Pending(op), ready.data(), static_cast<uint32_t>(ready.size()));
        ++drawn[last = op.thread_index];
        op = op_of(op.thread_index, step);
        if (strategy.posted != nullptr) strategy.posted(op);
      }
    }
    // Five standard deviations. All operations are on one object: SURW sets each thread aside that is not the intended one, or none.
    if (id != StrategyId::random_walk && id != StrategyId::pos && id != StrategyId::surw) continue;
    for (int n : drawn) EXPECT_NEAR(n, 2000 * 10 / kThreads, 90) << strategy.name;
  }
}

// Each thread in proportion to what it has left, also where the proportions are far apart.
TEST(Strategies, SurwDrawsByWeight) {
  constexpr uint32_t kWeights[] = {1, 10, 89};
  ThreadWeight weights[3];
  for (uint32_t t = 0; t < 3; ++t) weights[t] = {child_thread(kMainThread, t), kWeights[t], 0};
  const Strategy* strategy = find_strategy(StrategyId::surw);
  int drawn[3] = {};
  for (int seed = 1; seed <= kRuns; ++seed) {
    ScheduleView schedule;
    schedule.seed = mix(seed, 1);
    schedule.weights = weights;
    schedule.surw_site = op_of(0, 0).site;
    strategy->begin(schedule);
    Pending ops[3] = {op_of(0, 0), op_of(1, 0), op_of(2, 0)};
    for (Pending& p : ops) strategy->posted(p);
    Pending* live[3] = {&ops[0], &ops[1], &ops[2]};
    ++drawn[strategy->pick(live, 3, {{schedule.seed, 7}, 9})];
  }
  for (int t = 0; t < 3; ++t) {
    const double share = kWeights[t] / 100.0;
    EXPECT_NEAR(drawn[t], kRuns * share, 5 * std::sqrt(kRuns * share * (1 - share))) << t;
  }
}

TEST(Strategies, AutomaticDrawsThemAll) {
  std::map<StrategyId, int> drawn;
  ScheduleView schedule;
  for (schedule.seed = 1; schedule.seed <= 1600; ++schedule.seed) ++drawn[strategy_for(schedule).id];
  EXPECT_EQ(drawn.size(), 6u);
  EXPECT_NEAR(drawn[StrategyId::round_robin], 100, 50);
  EXPECT_NEAR(drawn[StrategyId::pct], 300, 80);
}

}  // namespace
}  // namespace heddle::rt
