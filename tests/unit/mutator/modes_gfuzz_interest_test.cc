// What is interesting to `gfuzz` and `gfuzz-hb`, and scores (docs/design/gfuzz.md).
#include "mutator/modes/gfuzz_interest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "modes_gfuzz_run.h"

namespace heddle::mutator {
namespace {

using P = ChannelParent;

// `sends` values through a channel of the site: send, receive, send, receive, ...
P traffic(uint32_t values, uint32_t capacity = 4, uint32_t peak = 1, bool closed = false, SiteId site = 50) {
  P p;
  const uint32_t c = p.channel(site, capacity, peak, closed);
  for (uint32_t i = 0; i < values; ++i) {
    p.add(1, 20, Kind::channel_send, c);
    p.add(2, 30, Kind::channel_receive, c, Outcome::success);
    p.passes(p.last() - 1, p.last(), false);
  }
  if (closed) p.add(1, 21, Kind::channel_close, c);
  return p;
}

Verdict paper(PaperInterest& interest, const P& p) {
  const ChannelRun run(p);
  return interest.learn(ChannelOps(run));
}

Verdict hb(HbInterest& interest, const P& p) {
  const ChannelRun run(p);
  const ChoicePoints points(run.relations());
  return interest.learn(points.partners().ops(), recorded_order(points, Choices::all));
}

// --- the paper's interest ------------------------------------------------------------------------

TEST(GfuzzInterest, PairsAndTheirBuckets) {
  PaperInterest interest;
  EXPECT_TRUE(paper(interest, traffic(5)).interesting);   // 5 times send-receive, 4 times receive-send
  EXPECT_FALSE(paper(interest, traffic(5)).interesting);  // kept
  EXPECT_TRUE(paper(interest, traffic(6)).interesting);   // receive-send: 5 is in (4, 8]
  EXPECT_FALSE(paper(interest, traffic(7)).interesting);
  EXPECT_FALSE(paper(interest, traffic(8)).interesting);  // 8 and 7 are in (4, 8], too
  EXPECT_TRUE(paper(interest, traffic(9)).interesting);   // 9 is not
  EXPECT_TRUE(paper(interest, traffic(10)).interesting);  // now receive-send has 9
  EXPECT_FALSE(paper(interest, traffic(11)).interesting);
  EXPECT_TRUE(paper(interest, traffic(1)).interesting);   // 1 was never seen for send-receive
}

TEST(GfuzzInterest, ChannelsMadeClosedLeftOpen) {
  PaperInterest interest;
  P p;
  p.channel(50, 0);
  EXPECT_TRUE(paper(interest, p).interesting);
  EXPECT_FALSE(paper(interest, p).interesting);
  p.channels[0].closed = 1;
  EXPECT_TRUE(paper(interest, p).interesting);
  EXPECT_FALSE(paper(interest, p).interesting);
  p.channels[0].closed = 0;
  EXPECT_FALSE(paper(interest, p).interesting);  // both were seen
  p.channels[0].site = 51;
  EXPECT_TRUE(paper(interest, p).interesting);
}

TEST(GfuzzInterest, FullnessIsAShareOfTheCapacityAndIsStored) {
  PaperInterest interest;
  P p;
  p.channel(50, 4, 2);
  EXPECT_TRUE(paper(interest, p).interesting);
  EXPECT_FALSE(paper(interest, p).interesting);
  p.channels[0] = {50, 1, 8, 4, 1, 0, 0};  // 4 of 8 is not more than 2 of 4
  EXPECT_FALSE(paper(interest, p).interesting);
  p.channels[0].peak = 5;
  EXPECT_TRUE(paper(interest, p).interesting);
}

// Eight sends and receives: 8 times send-receive, 7 times receive-send, and once receive-close.
TEST(GfuzzInterest, ScoreByHand) {
  PaperInterest interest;
  const double pairs = std::log2(8.0) + std::log2(7.0);
  EXPECT_DOUBLE_EQ(paper(interest, traffic(8, 4, 1, true)).score, pairs + 10 + 10 + 10 * 0.25);
  EXPECT_DOUBLE_EQ(paper(interest, traffic(8, 4, 4, false)).score, pairs + 10 + 10 * 1.0);
  EXPECT_DOUBLE_EQ(paper(interest, traffic(8, 0, 0, false)).score, pairs + 10);
}

TEST(GfuzzInterest, ChildrenInProportionToTheScore) {
  EXPECT_EQ(gfuzz_children(30, 30), 5u);
  EXPECT_EQ(gfuzz_children(15, 30), 3u);  // 2.5
  EXPECT_EQ(gfuzz_children(1, 30), 1u);
  EXPECT_EQ(gfuzz_children(0, 30), 0u);
  EXPECT_EQ(gfuzz_children(0, 0), 5u);
}

// --- Advocate's interest -------------------------------------------------------------------------

TEST(GfuzzHbInterest, HalfOfTheAverageAndMore) {
  HbInterest interest;
  EXPECT_TRUE(hb(interest, traffic(4)).interesting);
  EXPECT_FALSE(hb(interest, traffic(4)).interesting);
  EXPECT_FALSE(hb(interest, traffic(5)).interesting);  // 5 of 4
  EXPECT_TRUE(hb(interest, traffic(7)).interesting);   // 7 of 13/3
  EXPECT_FALSE(hb(interest, traffic(3)).interesting);  // 3 of 5
  EXPECT_TRUE(hb(interest, traffic(2)).interesting);   // 2 of 23/5
}

TEST(GfuzzHbInterest, PairsAreOfSitesThatAValueWentBetween) {
  HbInterest interest;
  hb(interest, traffic(4));
  P p = traffic(4);
  for (Event& e : p.events) {
    if (e.site == 30) e.site = 31;
  }
  EXPECT_TRUE(hb(interest, p).interesting);
  EXPECT_FALSE(hb(interest, p).interesting);
}

TEST(GfuzzHbInterest, ClosedAlwaysNeverSometimes) {
  HbInterest interest;
  hb(interest, traffic(4));
  EXPECT_TRUE(hb(interest, traffic(4, 4, 1, true)).interesting);  // never -> sometimes
  EXPECT_FALSE(hb(interest, traffic(4, 4, 1, true)).interesting);
  EXPECT_FALSE(hb(interest, traffic(4)).interesting);
}

TEST(GfuzzHbInterest, LongerQueues) {
  HbInterest interest;
  hb(interest, traffic(4, 4, 2));
  EXPECT_FALSE(hb(interest, traffic(4, 4, 2)).interesting);
  EXPECT_TRUE(hb(interest, traffic(4, 4, 3)).interesting);
  EXPECT_FALSE(hb(interest, traffic(4, 4, 3)).interesting);  // stored
  EXPECT_FALSE(hb(interest, traffic(4, 4, 1)).interesting);
}

P one_select(int32_t taken, SiteId site = 10) {
  P p;
  p.channel(50, 0);
  p.channel(51, 0);
  p.select(1, site, taken, {P::receive(1), P::receive(2), P::otherwise()});
  return p;
}

TEST(GfuzzHbInterest, SelectsAndTheirCases) {
  HbInterest interest;
  EXPECT_TRUE(hb(interest, one_select(0)).interesting);
  EXPECT_FALSE(hb(interest, one_select(0)).interesting);
  EXPECT_TRUE(hb(interest, one_select(1)).interesting);
  EXPECT_TRUE(hb(interest, one_select(-1)).interesting);
  EXPECT_FALSE(hb(interest, one_select(1)).interesting);
  EXPECT_TRUE(hb(interest, one_select(1, 11)).interesting);
}

// 4 values: log2 4; one channel, one close, a longest queue of 3; and a select of which one case more is possible.
TEST(GfuzzHbInterest, ScoreByHand) {
  HbInterest interest;
  P p = traffic(4, 4, 3, true);
  EXPECT_DOUBLE_EQ(hb(interest, p).score, 2 + 10 + 10 + 30);
  const uint32_t d = p.channel(51, 0);
  p.select(3, 10, 0, {P::receive(1), P::receive(d), P::send(d)});
  EXPECT_DOUBLE_EQ(hb(interest, p).score, 2 + 20 + 10 + 30);
  p.blocked(4, 40, Kind::channel_send, d);
  EXPECT_DOUBLE_EQ(hb(interest, p).score, 2 + 20 + 10 + 30 + 10);
}

TEST(GfuzzHbInterest, OutcomesOfOtherChoices) {
  HbInterest interest;
  P p = without_selects();
  const Verdict v = hb(interest, p);
  EXPECT_TRUE(v.interesting);
  EXPECT_DOUBLE_EQ(v.score, 10 * 4);
  EXPECT_FALSE(hb(interest, p).interesting);
  p.events[3].choice = 1;
  EXPECT_TRUE(hb(interest, p).interesting);
}

}  // namespace
}  // namespace heddle::mutator
