// Time that passes before a thread reads the clock (primitives/clock_jump.h).
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <iterator>
#include <map>
#include <thread>
#include <vector>

#include "controlled_run.h"
#include "schema/clock_jumps.h"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kReads = 5;

// How much time passes before each of main's reads of the clock, while the other thread runs or waits for main.
std::vector<Clock::duration> passes() {
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  std::vector<Clock::duration> out;
  pthread_mutex_lock(&m);
  std::atomic<bool> runs{false};
  std::thread other([&] {
    runs = true;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  });
  while (!runs) sched_yield();
  for (auto last = Clock::now(); out.size() < kReads;) {
    const auto now = Clock::now();
    out.push_back(now - last);
    last = now;
  }
  pthread_mutex_unlock(&m);
  other.join();
  return out;
}

const Event* jump_of(const Result& r, uint32_t after = 0) {
  for (const Event& e : r.events) {
    if (e.kind == Kind::clock_jump && e.occurrence > after) return &e;
  }
  return nullptr;
}

TEST(ClockJump, AFewSeedsHaveSomeOfEachLength) {
  std::map<uint32_t, int> jumps;
  int runs = 0;
  for (uint64_t seed = 1; seed <= 800; ++seed) {
    std::vector<Clock::duration> passed;
    const Result r = run_seed(seed, [&] { passed = passes(); });
    ASSERT_TRUE(r.finished());
    runs += r.count(Kind::clock_jump) != 0;
    auto longest = Clock::duration::zero();
    for (const Clock::duration d : passed) longest = std::max(longest, d);
    for (const Event& e : r.events) {
      if (e.kind != Kind::clock_jump) continue;
      ++jumps[e.choice];
      // The first read of all is compared with nothing.
      if (e.occurrence > 1) EXPECT_GE(longest, std::chrono::nanoseconds(kClockJumps[e.choice - 1]));
    }
    if (r.count(Kind::clock_jump) == 0) EXPECT_LT(longest, 50ms);
  }
  EXPECT_EQ(jumps.size(), std::size(kClockJumps));
  EXPECT_GT(runs, 40);
  EXPECT_LT(runs, 160);
}

// Nobody runs beside it.
TEST(ClockJump, NotForAThreadThatItsCreatorWaitsFor) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Result r = run_seed(seed, [] {
      std::thread([] {
        for (int i = 0; i < kReads; ++i) static_cast<void>(Clock::now());
      }).join();
    });
    EXPECT_EQ(r.count(Kind::clock_jump), 0) << seed;
  }
}

TEST(ClockJump, NotForAThreadThatIsAlone) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Result r = run_seed(seed, [] {
      const auto begun = Clock::now();
      for (int i = 0; i < 3; ++i) EXPECT_LT(Clock::now() - begun, 50ms);
    });
    EXPECT_EQ(r.count(Kind::clock_jump), 0);
  }
}

TEST(ClockJump, NotIfTimeOutsArePatient) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Schedule s;
    s.seed = seed;
    s.assumes = kPatientTimeouts;
    EXPECT_EQ(run(s, [] { passes(); }).count(Kind::clock_jump), 0);
  }
}

// The schedule of one thread after the other, and one jump: the same one as in the run that it was taken from.
TEST(ClockJump, AScheduleCanAskForEach) {
  int asked = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Result r = run_seed(seed, [] { passes(); });
    const Event* const jump = jump_of(r, 1);
    if (jump == nullptr) continue;
    ++asked;
    Schedule s;
    s.strategy = StrategyId::nonpreemptive;
    SelectPreference p{};
    p.site = jump->site;
    p.thread = kMainThread;
    p.kind = Kind::clock_jump;
    p.instance = jump->occurrence;
    p.choice = static_cast<int32_t>(jump->choice);
    s.selects.push_back(p);
    std::vector<Clock::duration> passed;
    const Result again = run(s, [&] { passed = passes(); });
    EXPECT_EQ(again.count(Kind::clock_jump), 1);
    ASSERT_NE(jump_of(again), nullptr);
    EXPECT_EQ(jump_of(again)->occurrence, jump->occurrence);
    int late = 0;
    for (const Clock::duration d : passed) late += d >= std::chrono::nanoseconds(kClockJumps[jump->choice - 1]);
    EXPECT_EQ(late, 1);
  }
  EXPECT_GT(asked, 10);
}

TEST(ClockJump, NotOfProcessorTime) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Result r = run_seed(seed, [] {
      std::atomic<int> turns{0};
      std::thread other([&] { for (int i = 0; i < 20; ++i) ++turns; });
      for (int i = 0; i < kReads; ++i) std::clock();
      other.join();
    });
    EXPECT_EQ(r.count(Kind::clock_jump), 0);
  }
}

// A thread that waits for the clock, or that spins and reads it, does not jump without end.
TEST(ClockJump, ALoopThatReadsTheClockEnds) {
  const auto body = [] {
    std::atomic<bool> done{false};
    std::thread other([&] {
      for (int i = 0; i < 10; ++i) sched_yield();
      done = true;
    });
    while (!done) static_cast<void>(Clock::now());
    other.join();
  };
  EXPECT_EQ(run_seeds(200, body).finished, 200);
  Schedule always;
  for (uint64_t seed = 1; always.selects.empty() && seed <= 400; ++seed) {
    const Result found = run_seed(seed, body);
    if (const Event* const jump = jump_of(found)) {
      SelectPreference p{};
      p.site = jump->site;
      p.kind = Kind::clock_jump;
      p.choice = 1;
      always.selects.push_back(p);
    }
  }
  ASSERT_FALSE(always.selects.empty());
  for (always.seed = 1; always.seed <= 50; ++always.seed) {
    const Result loop = run(always, body);
    EXPECT_TRUE(loop.finished());
    EXPECT_LT(loop.events.size(), 2'000u);
  }
}

}  // namespace
}  // namespace heddle::test
