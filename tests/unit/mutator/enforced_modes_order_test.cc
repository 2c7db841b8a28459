// What the order modes ask for, the next run does: the parent up to the cut, then the chain.
#include <gtest/gtest.h>

#include <mutex>

#include "enforced_run.h"
#include "mutator/modes/order_child.h"
#include "mutator/modes/order_cut.h"

namespace heddle::mutator {
namespace {

std::mutex m;
int noise = 0;

void* section(void*) {
  for (int i = 0; i < 5; ++i) __tsan_atomic32_load(&noise, kSeqCst);
  m.lock();
  m.unlock();
  return nullptr;
}

int body(const uint8_t*, size_t) { return both(section, section); }

struct Sections : testing::Test {
  // A run in which the first thread's section is the first.
  Sections() {
    while (!Execution(schedule, body).before(1, 2)) ++schedule.seed;
  }
  struct Execution : mutator::Execution {
    using mutator::Execution::Execution;
    bool before(uint32_t first, uint32_t second) const {  // one thread's section before the other's
      return mutator::Execution::before(at(first, Kind::mutex_unlock), at(second, Kind::mutex_lock));
    }
  };
  Schedule child(const EventChain& chain) const {
    const OrderSource source(kGoPieHb, parent().run.summary(), schedule);
    Rng rng(1);
    return child_schedule(source, {chain}, true, rng);
  }
  Execution parent() const { return Execution(schedule, body); }
  Schedule schedule;
};

// Flipped <lock2, unlock1> (docs/design/gopie.md#the-cut).
TEST_F(Sections, ChangePlacesWhenTheCutIsMoved) {
  const Execution recorded = parent();
  const OrderSource source(kGoPieHb, recorded.run.summary(), schedule);
  EventChain chain{recorded.at(2, Kind::mutex_lock), recorded.at(1, Kind::mutex_unlock)};
  // From the recorded cut the first thread holds the lock: the chain cannot come true.
  const Execution naive(child(chain), body);
  EXPECT_TRUE(naive.before(1, 2));
  ASSERT_TRUE(make_feasible(source, chain));
  ASSERT_EQ(chain.size(), 3u);
  const Schedule moved = child(chain);
  EXPECT_EQ(moved.seed, schedule.seed);  // and yet the parent is replayed, up to the first section
  const Execution run(moved, body);
  EXPECT_TRUE(run.finished());
  EXPECT_TRUE(run.realised());
  EXPECT_EQ(run.flagged(kEventReleased), 0u);
  EXPECT_TRUE(run.before(2, 1));
}

TEST_F(Sections, TheParentIsReplayedUpToTheCut) {
  const Execution recorded = parent();
  const EventChain chain{recorded.at(2, Kind::mutex_unlock), recorded.at(1, Kind::mutex_lock)};
  const Execution run(child(chain), body);
  EXPECT_TRUE(run.before(2, 1));
  const uint32_t cut = recorded.at(1, Kind::mutex_lock);
  ASSERT_GT(cut, 5u);
  for (uint32_t i = 0; i < cut; ++i) {
    EXPECT_EQ(run.run.events[i].site, recorded.run.events[i].site) << i;
    EXPECT_EQ(run.run.events[i].thread, recorded.run.events[i].thread) << i;
  }
  EXPECT_NE(run.run.events[cut].thread, recorded.run.events[cut].thread);
}

}  // namespace
}  // namespace heddle::mutator
