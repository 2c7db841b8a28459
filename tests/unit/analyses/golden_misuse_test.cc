// Reports of misuse of a primitive.
#include "tests/unit/analyses/golden_report.h"

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

}  // namespace
}  // namespace heddle::rt
