// Which locks a thread held when it did something: what a report of a race says of each access.
#include "analyses/held_locks.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

std::vector<uint32_t> at(RunBuilder& b, uint32_t thread, uint32_t events) {
  const HeldLocks held = held_locks(b.run(), thread, events);
  return {held.event, held.event + held.count};
}

TEST(HeldLocks, FollowTheEventsOfTheirThread) {
  RunBuilder b;
  const uint32_t other = b.thread(0, 2), m = b.object(), n = b.object();
  const uint32_t m_taken = b.lock(0, m, 3), n_taken = b.lock(0, n, 4);
  const uint32_t m_given = b.unlock(0, m, 5), others = b.lock(other, m, 6);
  EXPECT_EQ(at(b, 0, m_taken), (std::vector<uint32_t>{}));
  EXPECT_EQ(at(b, 0, m_taken + 1), (std::vector<uint32_t>{m_taken}));
  EXPECT_EQ(at(b, 0, m_given), (std::vector<uint32_t>{m_taken, n_taken}));
  EXPECT_EQ(at(b, 0, m_given + 1), (std::vector<uint32_t>{n_taken}));
  EXPECT_EQ(at(b, other, others + 1), (std::vector<uint32_t>{others}));
}

TEST(HeldLocks, AFailedTryTakesNothing) {
  RunBuilder b;
  const uint32_t m = b.object();
  const uint32_t tried = b.op(0, Kind::mutex_trylock, m, 3, Outcome::failure);
  EXPECT_EQ(at(b, 0, tried + 1), (std::vector<uint32_t>{}));
}

// The mutex of a wait is taken twice and released once.
TEST(HeldLocks, AWaitTakesItsMutexAgain) {
  RunBuilder b;
  const uint32_t m = b.object();
  const uint32_t taken = b.lock(0, m, 3);
  b.lock(0, m, 4);
  const uint32_t given = b.unlock(0, m, 5);
  EXPECT_EQ(at(b, 0, given), (std::vector<uint32_t>{taken}));
  EXPECT_EQ(at(b, 0, given + 1), (std::vector<uint32_t>{}));
}

TEST(HeldLocks, ReadersCount) {
  RunBuilder b;
  const uint32_t m = b.object();
  const uint32_t taken = b.op(0, Kind::rwlock_rdlock, m, 3);
  b.op(0, Kind::rwlock_rdlock, m, 4);
  const uint32_t first = b.op(0, Kind::rwlock_unlock, m, 5), second = b.op(0, Kind::rwlock_unlock, m, 6);
  EXPECT_EQ(at(b, 0, first + 1), (std::vector<uint32_t>{taken}));
  EXPECT_EQ(at(b, 0, second + 1), (std::vector<uint32_t>{}));
}

}  // namespace
}  // namespace heddle::rt
