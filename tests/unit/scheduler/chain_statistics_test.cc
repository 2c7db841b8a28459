// Why chains do not come true (HEDDLE_OPTIONS=stats=1), on hand-made operations.
#include "scheduler/chain_statistics.h"

#include <gtest/gtest.h>

#include <vector>

#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr ThreadId kA = 256, kB = 257;

Element element(SiteId site, ThreadId thread) {
  Element e = {};
  e.site = site;
  e.thread = thread;
  e.kind = Kind::mutex_lock;
  return e;
}

Pending op(SiteId site, ThreadId thread, bool enabled = true, Kind kind = Kind::mutex_lock) {
  Pending p = {};
  p.site = site;
  p.thread = thread;
  p.occurrence = 1;
  p.kind = kind;
  p.enabled = enabled;
  return p;
}

class ChainStatisticsTest : public testing::Test {
 protected:
  // The chain <11 of A, 12 of B>: B is held, and A is elsewhere.
  ChainCause cause_of(std::vector<Pending> pending, bool busy = false) {
    elements_ = {element(11, kA), element(12, kB)};
    view_.elements = elements_;
    chains_.begin(view_);
    Pending held = op(12, kB);
    pending.push_back(held);
    std::vector<Pending*> all;
    for (Pending& p : pending) all.push_back(&p);
    statistics_.released(chains_, held, all, busy);
    chains_.release(held);
    const auto before = statistics_.figures();
    statistics_.count(chains_, RunSummary{}, true);
    const auto& after = statistics_.figures();
    for (uint32_t c = 0; c < kChainCauses; ++c) {
      if (after.chains_by[c] == before.chains_by[c]) continue;
      EXPECT_EQ(after.elements_by[c] - before.elements_by[c], 2u);
      return static_cast<ChainCause>(c);
    }
    return ChainCause::none;
  }
  std::vector<Element> elements_;
  ScheduleView view_;
  Chains chains_;
  ChainStatistics statistics_;
};

TEST_F(ChainStatisticsTest, Causes) {
  EXPECT_EQ(cause_of({op(5, kA, false)}), ChainCause::lock);
  EXPECT_EQ(cause_of({op(5, kA, false, Kind::channel_receive)}), ChainCause::waits);
  EXPECT_EQ(cause_of({op(5, kA, false, Kind::thread_join)}), ChainCause::must_order);
  EXPECT_EQ(cause_of({}), ChainCause::no_thread);
  EXPECT_EQ(cause_of({op(5, kA)}), ChainCause::conflict);
  EXPECT_EQ(cause_of({op(5, kA, false)}, true), ChainCause::busy);
  Pending spinner = op(5, kA);
  spinner.idle = true;
  EXPECT_EQ(cause_of({spinner}), ChainCause::spins);
}

TEST_F(ChainStatisticsTest, AThreadHeldAtALaterElement) {
  elements_ = {element(11, kA), element(12, kA)};
  view_.elements = elements_;
  chains_.begin(view_);
  Pending held = op(12, kA);
  Pending* const all[] = {&held};
  statistics_.released(chains_, held, all, false);
  chains_.release(held);
  statistics_.count(chains_, RunSummary{}, true);
  EXPECT_EQ(statistics_.figures().chains_by[static_cast<uint8_t>(ChainCause::must_order)], 1u);
}

TEST_F(ChainStatisticsTest, WholeChainsAndThoseThatNeverCame) {
  elements_ = {element(11, kA), element(12, kB)};
  view_.elements = elements_;
  chains_.begin(view_);
  Pending first = op(11, kA), second = op(12, kB);
  chains_.executed(first);
  statistics_.count(chains_, RunSummary{}, true);
  EXPECT_EQ(statistics_.figures().chains_by[static_cast<uint8_t>(ChainCause::no_thread)], 1u);
  statistics_.count(chains_, RunSummary{}, false);
  EXPECT_EQ(statistics_.figures().chains_by[static_cast<uint8_t>(ChainCause::cut_short)], 1u);
  chains_.executed(second);
  statistics_.count(chains_, RunSummary{}, true);
  EXPECT_EQ(statistics_.figures().whole, 1u);
  EXPECT_EQ(statistics_.figures().chains, 3u);
  EXPECT_EQ(statistics_.figures().elements, 6u);
  EXPECT_EQ(statistics_.figures().realised, 4u);
}

}  // namespace
}  // namespace heddle::rt
