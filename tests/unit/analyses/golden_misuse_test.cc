// Reports of misuse of a primitive.
#include <cerrno>

#include "tests/unit/analyses/golden_report.h"
#include "trace/transfer_event.h"

namespace heddle::rt {
namespace {

using testing::GoldenReport;
using testing::RunBuilder;

TEST_F(GoldenReport, DoubleLock) {
  RunBuilder b;
  const uint32_t m = b.object();
  const uint32_t taken = b.lock(0, m, 20);
  expect_raised({FindingType::double_lock, 0, m, 0, taken, 0, 21, nullptr}, "double_lock", b.run());
}

TEST_F(GoldenReport, InitialisedWhileHeld) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  const uint32_t taken = b.lock(t, m, 20);
  expect_raised({FindingType::use_before_init, 0, m, t, taken, 0, 11, nullptr}, "initialised_while_held", b.run());
}

TEST_F(GoldenReport, UsedBeforeInitialised) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), o = b.object();
  b.op(t, Kind::barrier_arrive, o, 20);
  expect_raised({FindingType::use_before_init, t, o, kNoEvent, kNoEvent, 0, 20, nullptr}, "used_before_initialised", b.run());
}

TEST_F(GoldenReport, UseAfterDestroy) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  const uint32_t destroyed = b.op(0, Kind::mutex_destroy, m, 50);
  expect_raised({FindingType::use_after_destroy, t, m, kNoEvent, destroyed, 0, 21, nullptr}, "use_after_destroy", b.run());
}

TEST_F(GoldenReport, JoinSelf) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10);
  expect_raised({FindingType::join_self, t, b.object_of(t), kNoEvent, kNoEvent, 0, 70, nullptr}, "join_self", b.run());
}

// A number that is closed twice belongs to another thread's pipe the second time.
struct ClosedTwice {
  RunBuilder b;
  uint32_t t = b.thread(0, 10), socket = b.object(), pipe = b.object();
  ClosedTwice() {
    b.op(t, Kind::descriptor_read, socket, 30);
    b.events()[b.op(t, Kind::descriptor_close, socket, 80)].value = 3;
    b.op(0, Kind::descriptor_open, socket, 90);
    b.events()[b.op(t, Kind::descriptor_close, pipe, 81)].value = 3;
  }
};

TEST_F(GoldenReport, PipeThatAnotherThreadHasClosed) {
  ClosedTwice c;
  expect_raised({FindingType::broken_pipe, 0, c.pipe, kNoEvent, kNoEvent, 0, 91, nullptr}, "pipe_closed_by_another", c.b.run());
}

TEST_F(GoldenReport, ReadThatFailsBecauseOfAClose) {
  ClosedTwice c;
  const uint32_t read = c.b.op(0, Kind::descriptor_read, c.pipe, 40, Outcome::failure);
  c.b.events()[read].value = transfer_value(Kind::descriptor_read, -EBADF);
  expect_raised({FindingType::assertion, 0, 0, kNoEvent, kNoEvent, 0, 41, "assertion `n == 1' at queue.cc:41"}, "read_after_close", c.b.run());
}

TEST_F(GoldenReport, RobustMutexOfAThreadThatHasEnded) {
  RunBuilder b;
  const uint32_t t = b.thread(0, 10), m = b.object();
  b.lock(t, m, 20);
  const uint32_t left = b.unlock(t, m, 10);
  b.events()[left].value = kValueOfDeadOwner;
  b.finish(t, 10);
  const uint32_t taken = b.lock(0, m, 30, Kind::mutex_trylock);
  b.events()[taken].outcome = Outcome::success;
  b.events()[taken].value = kValueOfDeadOwner;
  expect_raised({FindingType::double_lock, 0, m, 0, taken, 0, 31, nullptr}, "robust_mutex", b.run());
}

}  // namespace
}  // namespace heddle::rt
