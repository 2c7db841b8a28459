// Which spurious wake-ups explain a finding.
#include "analyses/report/unlooped_waits.h"

#include "analyses/report/positions.h"
#include "races/access_log.h"
#include "tests/unit/analyses/golden_report.h"

namespace heddle::rt {
namespace {

using testing::by_line;
using testing::RunBuilder;

// A thread reads its condition at line 20, waits at line 21, and wakes up. Main fails.
class UnloopedWaits : public ::testing::Test {
 protected:
  UnloopedWaits() {
    set_position_source(by_line);
    access_log().initialise();
    access_log().begin();
    story_->begin(FindingType::assertion, 0);
    story_->thread = 0;
    waiter_ = run_.thread(0, 10), mutex_ = run_.object(), cond_ = run_.object();
    run_.lock(waiter_, mutex_, 19);
  }
  ~UnloopedWaits() override { set_position_source(nullptr); }

  void read(uint32_t line) { access_log().add({0x5000, 0, waiter_, line, static_cast<uint32_t>(run_.events().size()), 4, false, true}); }
  uint32_t wait(uint32_t line, Outcome outcome) {
    run_.wait(waiter_, cond_, mutex_, line);
    const uint32_t wake = run_.op(waiter_, Kind::cond_wake, cond_, line, outcome);
    run_.lock(waiter_, mutex_, line);
    return wake;
  }
  // The waiter's end is in main's past if main has joined it.
  void leave(bool joined = true) {
    run_.unlock(waiter_, mutex_, 22);
    run_.finish(waiter_, 23);
    const auto exit = static_cast<uint32_t>(run_.events().size() - 1);
    if (joined) run_.op(0, Kind::thread_join, run_.object_of(waiter_), 12, Outcome::none, exit);
    run_.op(0, Kind::yield, 0, 13);
  }
  std::vector<uint32_t> found() {
    const UnloopedWakeUps f = unlooped_wake_ups(run_.run(), *story_);
    return {f.events, f.events + f.count};
  }

  RunBuilder run_;
  uint32_t waiter_, mutex_, cond_;
  std::unique_ptr<Story> story_ = std::make_unique<Story>();
};

TEST_F(UnloopedWaits, AWakeUpWithoutAnotherLook) {
  read(20);
  const uint32_t wake = wait(21, Outcome::spurious);
  read(22);
  leave();
  EXPECT_EQ(found(), std::vector{wake});
}

TEST_F(UnloopedWaits, ANotificationIsNone) {
  read(20);
  wait(21, Outcome::signalled);
  leave();
  EXPECT_TRUE(found().empty());
}

TEST_F(UnloopedWaits, ALoopWaitsAgain) {
  wait(21, Outcome::spurious);
  wait(21, Outcome::signalled);
  leave();
  EXPECT_TRUE(found().empty());
}

TEST_F(UnloopedWaits, ALoopReadsTheConditionAgain) {
  read(20);
  wait(21, Outcome::spurious);
  read(20);
  leave();
  EXPECT_TRUE(found().empty());
}

TEST_F(UnloopedWaits, ALoopAroundAWrapperThatReadsWhatItWaitsWith) {
  read(20);
  read(41);
  wait(42, Outcome::spurious);
  read(20);
  leave();
  EXPECT_TRUE(found().empty());
}

TEST_F(UnloopedWaits, ALookInALaterSectionIsTooLate) {
  read(20);
  const uint32_t wake = wait(21, Outcome::spurious);
  run_.unlock(waiter_, mutex_, 22);
  run_.lock(waiter_, mutex_, 19);
  read(20);
  leave();
  EXPECT_EQ(found(), std::vector{wake});
}

TEST_F(UnloopedWaits, OfAThreadThatTheFindingKnowsNothingOf) {
  read(20);
  wait(21, Outcome::spurious);
  leave(false);
  EXPECT_TRUE(found().empty());
}

// It waits with a mutex of its own, and gives the program's back before that.
class UnloopedWaitsForAnyLock : public UnloopedWaits {
 protected:
  uint32_t wait_for_any(uint32_t line) {
    const uint32_t users = mutex_;
    run_.lock(waiter_, inside_, line);
    run_.unlock(waiter_, users, line);
    mutex_ = inside_;
    const uint32_t wake = wait(line, Outcome::spurious);
    run_.unlock(waiter_, inside_, line);
    mutex_ = users;
    run_.lock(waiter_, users, line);
    return wake;
  }
  const uint32_t inside_ = run_.object();
};

TEST_F(UnloopedWaitsForAnyLock, WithoutALoop) {
  read(20);
  const uint32_t wake = wait_for_any(21);
  leave();
  EXPECT_EQ(found(), std::vector{wake});
}

TEST_F(UnloopedWaitsForAnyLock, InALoopOfOneLine) {
  for (int i = 0; i < 3; ++i) read(21), wait_for_any(21);
  read(21);
  leave();
  EXPECT_TRUE(found().empty());
}

}  // namespace
}  // namespace heddle::rt
