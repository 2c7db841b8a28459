// What a report shows that has more rows than there is room.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "analyses/analyses.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/report.h"
#include "tests/unit/analyses/run_builder.h"
#include "trace/run_notes.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

Position by_line(uint32_t site) {
  static Frame frames[128];  // reports keep pointers to them
  frames[site % 128] = {"push", "/src/queue.cc", site, 5};
  return {&frames[site % 128], 1};
}

// Of a run in which `t` has the mutex m and main has n: now each wants the other one.
std::string report_of_deadlock(RunBuilder& b, uint32_t t, uint32_t m, uint32_t n) {
  b.block(t, Kind::mutex_lock, n, 25);
  b.block(0, Kind::mutex_lock, m, 31);
  const auto story = std::make_unique<Story>();
  forget_names();
  EXPECT_TRUE(find_deadlock(b.run(), *story));
  Text text;
  text.clear();
  put_report(text, *story, b.run(), true, 100, 4711, "./queue_fuzz");
  set_position_source(nullptr);
  return std::string(text.view());
}

// In a long report, too, and if no other thread uses the condition variable: the thread goes on because of it.
TEST(LongReport, ShowsASpuriousWakeUpThatNobodyElseSees) {
  set_position_source(by_line);
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), n = b.object(), own = b.object(), c = b.object();
  b.lock(t, own, 20);
  b.wait(t, c, own, 21);
  b.op(t, Kind::cond_wake, c, 21, Outcome::spurious);
  b.lock(t, own, 21);
  for (uint32_t i = 40; i < 120; i += 2) {  // no loop, which would be one row
    b.unlock(t, own, i);
    b.lock(t, own, i + 1);
  }
  b.lock(t, m, 24);
  b.lock(0, n, 30);
  const std::string report = report_of_deadlock(b, t, m, n);
  EXPECT_NE(report.find("that no other thread can observe"), report.npos) << report;
  EXPECT_NE(report.find(": spurious"), report.npos) << report;
}

// Where there is no room for their rows, a line says that there were some.
TEST(LongReport, SaysThatSpuriousWakeUpsAreNotShown) {
  set_position_source(by_line);
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), n = b.object(), own = b.object(), c = b.object(), x = b.object();
  b.lock(t, m, 24);
  b.lock(0, n, 30);
  for (uint32_t line = 20; line < 23; ++line) {
    b.lock(t, own, line);
    b.wait(t, c, own, line);
    b.op(t, Kind::cond_wake, c, line, Outcome::spurious);
    b.lock(t, own, line);
    b.wait(t, c, own, line);  // in a loop
    b.op(t, Kind::cond_wake, c, line, Outcome::signalled);
    b.lock(t, own, line);
    b.unlock(t, own, line);
  }
  for (uint32_t i = 0; i < 100; ++i) b.op(i % 2 != 0 ? t : 0, Kind::atomic_rmw, x, 40 + i);
  const std::string report = report_of_deadlock(b, t, m, n);
  EXPECT_EQ(report.find(": spurious"), report.npos) << report;
  EXPECT_NE(report.find("Not shown: 3 spurious wake-ups, the last one of main.0 at queue.cc:22. Without such: HEDDLE_OPTIONS=spurious=0\n"), report.npos)
      << report;
}

// A busy machine may be the cause of the finding.
// The report of a deadlock before which these operations went because time passed. Other threads could have gone on before the first `early`
// of them.
std::string after_time_passed(const std::array<Kind, 3>& operations, uint32_t early) {
  set_position_source(by_line);
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), n = b.object();
  b.lock(t, m, 24);
  b.lock(0, n, 30);
  time_notes().begin(0);
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const bool jump = operations[i] == Kind::clock_jump;
    const uint32_t event = b.op(t, operations[i], jump ? 0 : n, 40 + i, jump ? Outcome::none : Outcome::timeout);
    time_notes().add(event, 1'000'000 * (i + 1), i < early);
  }
  b.block(t, Kind::mutex_lock, n, 25);
  b.block(0, Kind::mutex_lock, m, 31);
  const auto story = std::make_unique<Story>();
  forget_names();
  EXPECT_TRUE(find_deadlock(b.run(), *story));
  Text text;
  text.clear();
  put_report(text, *story, b.run(), true, 100, 4711, "./queue_fuzz");
  time_notes().begin(0);
  set_position_source(nullptr);
  return std::string(text.view());
}

TEST(LongReport, SaysThatTimeLimitsExpiredEarly) {
  constexpr Kind kLimit = Kind::mutex_timedlock;
  for (const uint32_t early : {0, 1, 2}) {
    const std::string report = after_time_passed({kLimit, kLimit, kLimit}, early);
    EXPECT_EQ(report.find("timeouts=patient") != report.npos, early != 0) << report;
    if (early == 1) EXPECT_NE(report.find("\nA time limit expired while other threads could go on: of main.0 at queue.cc:40. "), report.npos) << report;
    if (early == 2) EXPECT_NE(report.find("\n2 time limits expired while other threads could go on, the last one of main.0 at queue.cc:41. "), report.npos) << report;
  }
}

TEST(LongReport, SaysThatTheClockJumped) {
  const std::string jump = after_time_passed({Kind::mutex_timedlock, Kind::clock_jump, Kind::mutex_timedlock}, 2);
  EXPECT_NE(jump.find("\nMuch time passed while other threads could go on: for main.0 at queue.cc:41. Without such: "), jump.npos) << jump;
  EXPECT_NE(jump.find("held up before it reads the clock (:41)"), jump.npos) << jump;
  // A jump is no time limit.
  const std::string limit = after_time_passed({Kind::clock_jump, Kind::mutex_timedlock, Kind::mutex_timedlock}, 2);
  EXPECT_NE(limit.find("\nA time limit expired while other threads could go on: of main.0 at queue.cc:41. "), limit.npos) << limit;
}

// A loop of three operations, of which two are on what no other thread uses: the third one is one row.
TEST(LongReport, FoldsWhatRepeatsAfterOtherRowsAreLeftOut) {
  set_position_source(by_line);
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object(), n = b.object(), own = b.object(), flag = b.object();
  for (uint32_t i = 0; i < 60; ++i) {
    b.op(t, Kind::atomic_load, flag, 20);
    b.lock(t, own, 21);
    b.unlock(t, own, 22);
  }
  b.op(0, Kind::atomic_store, flag, 40);
  b.lock(t, m, 24);
  b.lock(0, n, 30);
  const std::string report = report_of_deadlock(b, t, m, n);
  EXPECT_NE(report.find("(60 times)"), report.npos) << report;
  EXPECT_EQ(report.find("operations left out"), report.npos) << report;
}

}  // namespace
}  // namespace heddle::rt
