// The automata of enforcement (docs/design/runtime-laws.md#chains-and-constraints), on hand-made operations.
#include <gtest/gtest.h>

#include <vector>

#include "scheduler/enforcement.h"

namespace heddle::rt {
namespace {

constexpr ThreadId kA = 256, kB = 257, kC = 258;

Element element(SiteId site, ThreadId thread = kAnyThread, uint32_t occurrence = 0, uint8_t variable = 0, uint8_t chain = 0) {
  Element e = {};
  e.site = site;
  e.thread = thread;
  e.occurrence = occurrence;
  e.kind = Kind::mutex_lock;
  e.thread_var = variable;
  e.chain = chain;
  return e;
}

Pending op(SiteId site, ThreadId thread, uint32_t occurrence = 1, Kind kind = Kind::mutex_lock, uint32_t object = 1) {
  Pending p = {};
  p.site = site;
  p.thread = thread;
  p.thread_index = static_cast<uint32_t>(thread);
  p.occurrence = occurrence;
  p.kind = kind;
  p.object_index = object;
  return p;
}

WriteRecord g_last_write;
WriteRecord last_write(uint32_t) { return g_last_write; }

class EnforcementTest : public testing::Test {
 protected:
  void begin() {
    g_last_write = {};
    view_.elements = elements_;
    view_.reads_from = reads_from_;
    view_.delays = delays_;
    enforcement_.begin(view_, last_write);
  }
  bool held(Pending p) {
    Pending* all[] = {&p};
    enforcement_.begin_choice();
    return enforcement_.verdict(p, all, 1) == Verdict::held;
  }
  Verdict verdict(Pending p, Pending other) {
    Pending* all[] = {&p, &other};
    enforcement_.begin_choice();
    return enforcement_.verdict(p, all, 2);
  }
  // True if it realised an element.
  bool go(Pending p) {
    enforcement_.executed(p, kNoEvent);
    return (p.event_flags & kEventElement) != 0;
  }
  uint32_t realised(int chain = 0) { return enforcement_.chains().results()[chain].realised; }

  std::vector<Element> elements_;
  std::vector<ReadsFrom> reads_from_;
  std::vector<Delay> delays_;
  ScheduleView view_;
  Enforcement enforcement_;
};

TEST_F(EnforcementTest, ElementsGoInTheirOrder) {
  elements_ = {element(11, kA), element(12, kB), element(13, kA)};
  begin();
  EXPECT_TRUE(held(op(12, kB)));
  EXPECT_TRUE(held(op(13, kA)));
  EXPECT_FALSE(held(op(11, kA)));
  EXPECT_FALSE(held(op(12, kA)));  // another thread's operation does not matter
  EXPECT_FALSE(held(op(12, kB, 1, Kind::mutex_unlock)));
  EXPECT_TRUE(go(op(11, kA)));
  EXPECT_FALSE(held(op(12, kB)));
  EXPECT_TRUE(held(op(13, kA)));
  EXPECT_TRUE(go(op(12, kB)));
  EXPECT_TRUE(go(op(13, kA)));
  EXPECT_EQ(realised(), 3u);
  EXPECT_FALSE(enforcement_.active());
}

TEST_F(EnforcementTest, TheFirstReleaseAbandonsThisChainAndNoOther) {
  elements_ = {element(11, kA, 0, 0, 0), element(12, kB, 0, 0, 0), element(21, kA, 0, 0, 1), element(22, kB, 0, 0, 1)};
  begin();
  go(op(21, kA));
  Pending p = op(12, kB);
  EXPECT_TRUE(enforcement_.release(p));
  EXPECT_TRUE(p.event_flags & kEventReleased);
  EXPECT_FALSE(held(op(12, kB)));
  EXPECT_FALSE(enforcement_.release(p));  // nothing holds it any more
  EXPECT_EQ(realised(0), 0u);
  EXPECT_FALSE(go(op(11, kA)));  // it holds nothing and realises nothing
  EXPECT_TRUE(go(op(22, kB)));
  EXPECT_EQ(realised(1), 2u);
}

TEST_F(EnforcementTest, AnElementThatIsParkedCountsWhenAsked) {
  elements_ = {element(11, kA), element(12, kB)};
  begin();
  EXPECT_FALSE(enforcement_.parked(op(12, kB)));
  EXPECT_TRUE(enforcement_.awaited(op(11, kA)));
  EXPECT_TRUE(enforcement_.parked(op(11, kA)));
  EXPECT_FALSE(held(op(12, kB)));
  EXPECT_EQ(realised(), 1u);
}

TEST_F(EnforcementTest, OpenThreadsWithVariables) {
  // T1 locks, T2 (another one) locks, T1 again.
  elements_ = {element(11, kAnyThread, 0, 1), element(12, kAnyThread, 0, 2), element(13, kAnyThread, 0, 1)};
  begin();
  EXPECT_TRUE(go(op(11, kB)));
  EXPECT_FALSE(go(op(12, kB)));  // the same thread is not T2
  EXPECT_TRUE(held(op(13, kB)));
  EXPECT_FALSE(held(op(13, kC)));  // T1 is bound: another thread's is not meant
  EXPECT_TRUE(go(op(12, kC)));
  EXPECT_FALSE(go(op(13, kC)));
  EXPECT_TRUE(go(op(13, kB)));
  EXPECT_EQ(realised(), 3u);
}

TEST_F(EnforcementTest, OccurrencesAreExactOrTheNext) {
  elements_ = {element(11, kA, 2), element(12, kAnyThread)};
  begin();
  EXPECT_FALSE(go(op(11, kA, 1)));
  EXPECT_TRUE(held(op(12, kB, 7)));
  EXPECT_TRUE(go(op(11, kA, 2)));
  EXPECT_TRUE(go(op(12, kB, 7)));
}

ReadsFrom constraint(bool negative, bool shield, SiteId write = 12) {
  ReadsFrom c = {};
  c.read = element(11);
  c.read.kind = Kind::atomic_load;
  c.write = element(write);
  c.write.kind = Kind::atomic_store;
  c.negative = negative;
  c.shield = shield;
  return c;
}

Pending load() { return op(11, kA, 1, Kind::atomic_load); }
Pending store(SiteId site = 12) { return op(site, kB, 1, Kind::atomic_store); }
WriteRecord wrote(SiteId site) { return {site, kB, 1, 0, Kind::atomic_store}; }

TEST_F(EnforcementTest, APositiveReadWaitsForItsWrite) {
  reads_from_ = {constraint(false, true)};
  begin();
  EXPECT_TRUE(held(load()));
  EXPECT_EQ(verdict(store(), load()), Verdict::favoured);
  EXPECT_EQ(verdict(store(), store()), Verdict::neutral);  // no thread waits yet
  g_last_write = wrote(12);
  EXPECT_EQ(verdict(load(), store(13)), Verdict::favoured);
  EXPECT_EQ(verdict(store(13), load()), Verdict::held);  // shielded
  go(load());
  EXPECT_EQ(enforcement_.satisfied(), 1u);
  EXPECT_FALSE(enforcement_.active());
}

TEST_F(EnforcementTest, WithoutAShieldOtherWritesAreFree) {
  reads_from_ = {constraint(false, false)};
  begin();
  g_last_write = wrote(12);
  EXPECT_NE(verdict(store(13), load()), Verdict::held);
}

TEST_F(EnforcementTest, TheInitialValueIsAWriteToo) {
  reads_from_ = {constraint(false, true, kNoSite)};
  begin();
  EXPECT_FALSE(held(load()));
  EXPECT_EQ(verdict(store(), load()), Verdict::held);
  go(load());
  EXPECT_EQ(enforcement_.satisfied(), 1u);
  EXPECT_NE(verdict(store(), load()), Verdict::held);
}

TEST_F(EnforcementTest, ANegativeReadWaitsForAnotherWrite) {
  reads_from_ = {constraint(true, false)};
  begin();
  EXPECT_FALSE(held(load()));
  g_last_write = wrote(12);
  EXPECT_TRUE(held(load()));
  EXPECT_EQ(verdict(store(13), load()), Verdict::favoured);
  EXPECT_EQ(verdict(store(12), load()), Verdict::neutral);
  g_last_write = wrote(13);
  EXPECT_FALSE(held(load()));
  go(load());
  EXPECT_TRUE(enforcement_.active());  // it stays in force
}

TEST_F(EnforcementTest, ANegativeReadIsNotInForceForEver) {
  reads_from_ = {constraint(true, false)};
  begin();
  uint32_t reads = 0;
  for (; enforcement_.active() && reads < 1000; ++reads) {
    g_last_write = wrote(12);
    EXPECT_TRUE(held(load()));
    g_last_write = wrote(13);
    go(load());
  }
  EXPECT_EQ(reads, 64u);
  g_last_write = wrote(12);
  EXPECT_FALSE(held(load()));
}

TEST_F(EnforcementTest, ANegativeShieldHoldsTheWrite) {
  reads_from_ = {constraint(true, true)};
  begin();
  EXPECT_EQ(verdict(store(12), load()), Verdict::held);
  EXPECT_NE(verdict(store(13), load()), Verdict::held);
}

TEST_F(EnforcementTest, AReadThatMustGoGivesItsConstraintUp) {
  reads_from_ = {constraint(false, false)};
  begin();
  Pending p = load();
  EXPECT_TRUE(held(p));
  EXPECT_TRUE(enforcement_.release(p));
  EXPECT_FALSE(held(load()));
  EXPECT_EQ(enforcement_.satisfied(), 0u);
}

TEST_F(EnforcementTest, ADelayLastsUntilItsOther) {
  delays_ = {{element(11, kA), element(12, kB)}};
  begin();
  EXPECT_TRUE(held(op(11, kA)));
  EXPECT_FALSE(held(op(11, kB)));
  go(op(12, kB));
  EXPECT_FALSE(held(op(11, kA)));
  EXPECT_FALSE(enforcement_.active());
}

// "Before each such operation of any other thread": its own is the one that the delay waits for.
TEST_F(EnforcementTest, ADelayOfAnyThreadDoesNotHoldTheThreadThatItWaitsFor) {
  delays_ = {{element(11), element(11, kA)}};
  begin();
  EXPECT_TRUE(held(op(11, kB)));
  EXPECT_FALSE(held(op(11, kA)));
  go(op(11, kA));
  EXPECT_FALSE(held(op(11, kB)));
}

// "After the first such operation of any other thread".
TEST_F(EnforcementTest, ADelayIsNotEndedByTheThreadThatItHolds) {
  delays_ = {{element(12, kA), element(11)}};
  begin();
  go(op(11, kA));
  EXPECT_TRUE(held(op(12, kA)));
  go(op(11, kB));
  EXPECT_FALSE(held(op(12, kA)));
}

TEST_F(EnforcementTest, ADelayIsReleasedOnce) {
  delays_ = {{element(11, kA), element(kNoSite)}};
  begin();
  Pending p = op(11, kA);
  EXPECT_TRUE(held(p));
  EXPECT_TRUE(enforcement_.release(p));
  EXPECT_FALSE(held(p));
}

}  // namespace
}  // namespace heddle::rt
