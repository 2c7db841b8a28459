// Where the spinning began. After a while the engine no longer records what threads only read again (engine.cc).
#include "analyses/spin.h"

#include <gtest/gtest.h>

#include "tests/unit/analyses/run_builder.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

TEST(SpinBegin, ReachesBackOverLooksThatAreNoLongerRecorded) {
  RunBuilder b;
  const uint32_t count = b.object();
  const uint32_t one = b.thread(0, 10), other = b.thread(0, 11);
  b.op(one, Kind::atomic_rmw, count, 20);
  const uint32_t last = b.op(other, Kind::atomic_rmw, count, 20);
  const auto turns = [&](int rounds, bool all) {
    for (int i = 0; i < rounds; ++i) {
      for (const uint32_t t : {one, other}) {
        b.op(t, Kind::atomic_rmw, count, 21);
        if (all) b.op(t, Kind::atomic_load, count, 22);
        if (all) b.op(t, Kind::yield, 0, 23);
      }
    }
  };
  turns(300, true);
  turns(600, false);
  EXPECT_EQ(spin_begin(b.run()), last + 1);
}

TEST(SpinBegin, ReachesBackOverExchangesThatAreNoLongerRecorded) {
  RunBuilder b;
  const uint32_t lock = b.object(), count = b.object();
  const uint32_t one = b.thread(0, 10), other = b.thread(0, 11);
  const uint32_t taken = b.op(one, Kind::atomic_rmw, lock, 20);
  const auto turns = [&](int rounds, bool all) {
    for (int i = 0; i < rounds; ++i) {
      if (all) b.op(other, Kind::atomic_rmw, lock, 21);
      b.op(one, Kind::mutex_lock, count, 22);
    }
  };
  turns(300, true);
  turns(1200, false);
  EXPECT_EQ(spin_begin(b.run()), taken + 1);
}

TEST(SpinBegin, StopsAtALookThatCameOnce) {
  RunBuilder b;
  const uint32_t count = b.object();
  const uint32_t one = b.thread(0, 10);
  const uint32_t once = b.op(one, Kind::atomic_load, count, 20);
  for (int i = 0; i < 1100; ++i) b.op(one, Kind::mutex_trylock, count, 21, Outcome::failure);
  EXPECT_EQ(spin_begin(b.run()), once + 1);
}

}  // namespace
}  // namespace heddle::rt
