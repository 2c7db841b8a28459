// The possible-partner rule (docs/design/gfuzz.md#possible-partners), row by row, on runs made by hand.
#include "mutator/knowledge/select_partners.h"

#include <gtest/gtest.h>

#include "modes_gfuzz_run.h"
#include "mutator/knowledge/choice_points.h"

namespace heddle::mutator {
namespace {

using P = ChannelParent;
constexpr uint32_t kOther = 1;  // a channel whose case is the one taken

enum class When { concurrent, before, after };

// Thread 1 selects between `kOther` and the channel under test; thread 2 does `candidate` there. Before and after are
// made so by a hand-over through a mutex.
struct Scene {
  Scene(uint32_t capacity, CaseDirection direction, Kind candidate, When when, bool finished = true) {
    p.channel(50, 1);
    const uint32_t c = p.channel(51, capacity);
    const auto other = [&] {
      if (finished) p.add(2, 20, candidate, c);
      else p.blocked(2, 20, candidate, c);
    };
    const auto hand_over = [&](uint32_t from, uint32_t to) {
      p.add(from, 30, Kind::mutex_unlock, 9);
      p.add(to, 31, Kind::mutex_lock, 9);
    };
    if (when == When::before) other(), hand_over(2, 1);
    p.select(1, 10, 0, {P::receive(kOther), P::on(c, direction)});
    if (when == When::after) hand_over(1, 2);
    if (when != When::before) other();
  }
  bool possible() {
    const ChannelRun run(p);
    const SelectPartners partners(run.relations());
    EXPECT_TRUE(partners.possible(run.select_cases[0]));  // it was taken
    return partners.possible(run.select_cases[1]);
  }
  P p;
};

bool possible(uint32_t capacity, CaseDirection direction, Kind candidate, When when) {
  return Scene(capacity, direction, candidate, when).possible();
}

constexpr auto kSendCase = CaseDirection::send, kReceiveCase = CaseDirection::receive;
constexpr auto kSend = Kind::channel_send, kReceive = Kind::channel_receive, kClose = Kind::channel_close;

TEST(SelectPartners, SendOnUnbuffered) {
  EXPECT_TRUE(possible(0, kSendCase, kReceive, When::concurrent));
  EXPECT_FALSE(possible(0, kSendCase, kReceive, When::before));
  EXPECT_FALSE(possible(0, kSendCase, kReceive, When::after));
  EXPECT_FALSE(possible(0, kSendCase, kSend, When::concurrent));
  EXPECT_FALSE(possible(0, kSendCase, kClose, When::concurrent));
}

TEST(SelectPartners, SendOnBuffered) {
  EXPECT_TRUE(possible(2, kSendCase, kReceive, When::concurrent));
  EXPECT_TRUE(possible(2, kSendCase, kReceive, When::after));
  EXPECT_FALSE(possible(2, kSendCase, kReceive, When::before));
}

TEST(SelectPartners, ReceiveOnUnbuffered) {
  EXPECT_TRUE(possible(0, kReceiveCase, kSend, When::concurrent));
  EXPECT_FALSE(possible(0, kReceiveCase, kSend, When::before));
  EXPECT_FALSE(possible(0, kReceiveCase, kSend, When::after));
  EXPECT_FALSE(possible(0, kReceiveCase, kReceive, When::concurrent));
}

TEST(SelectPartners, ReceiveOnBuffered) {
  EXPECT_TRUE(possible(2, kReceiveCase, kSend, When::concurrent));
  EXPECT_TRUE(possible(2, kReceiveCase, kSend, When::before));
  EXPECT_FALSE(possible(2, kReceiveCase, kSend, When::after));
}

TEST(SelectPartners, ReceiveAndClose) {
  EXPECT_TRUE(possible(0, kReceiveCase, kClose, When::concurrent));
  EXPECT_TRUE(possible(2, kReceiveCase, kClose, When::concurrent));
  EXPECT_TRUE(possible(2, kReceiveCase, kClose, When::before));
  EXPECT_FALSE(possible(0, kReceiveCase, kClose, When::before));
  EXPECT_FALSE(possible(2, kReceiveCase, kClose, When::after));
}

TEST(SelectPartners, DefaultAlwaysAndNilNever) {
  P p;
  p.channel(50, 1);
  p.select(1, 10, 0, {P::receive(kOther), P::receive(0), P::otherwise()});
  const ChannelRun run(p);
  const SelectPartners partners(run.relations());
  EXPECT_FALSE(partners.possible(run.select_cases[1]));
  EXPECT_TRUE(partners.possible(run.select_cases[2]));
  std::vector<Candidate> all;
  ChoicePoints(run.relations()).candidates(0, all);
  EXPECT_EQ(possible_others(all, 0), 1u);
}

// The seed's own example: `a <- 1` is stuck because the select took x. Nevertheless it is the partner.
TEST(SelectPartners, WhatStillWaitsAtTheEnd) {
  EXPECT_TRUE(Scene(0, kReceiveCase, kSend, When::concurrent, false).possible());
  EXPECT_TRUE(Scene(0, kSendCase, kReceive, When::concurrent, false).possible());
  EXPECT_FALSE(Scene(0, kSendCase, kSend, When::concurrent, false).possible());
}

TEST(SelectPartners, ChosenCasesOfOtherSelects) {
  for (int32_t taken : {0, 1}) {
    P p;
    p.channel(50, 1);
    const uint32_t c = p.channel(51, 0);
    p.select(1, 10, 0, {P::receive(kOther), P::receive(c)});
    p.select(2, 20, taken, {P::send(c), P::receive(c)});  // took the send, then the receive
    const ChannelRun run(p);
    EXPECT_EQ(SelectPartners(run.relations()).possible(run.select_cases[1]), taken == 0);
  }
}

TEST(SelectPartners, AllCasesOfASelectThatNeverFinished) {
  for (auto direction : {kSendCase, kReceiveCase}) {
    P p;
    p.channel(50, 1);
    const uint32_t c = p.channel(51, 0), d = p.channel(52, 0);
    p.select(1, 10, 0, {P::receive(kOther), P::receive(c)});
    p.blocked_select(2, 20, {P::receive(d), P::on(c, direction)});
    const ChannelRun run(p);
    EXPECT_EQ(SelectPartners(run.relations()).possible(run.select_cases[1]), direction == kSendCase);
  }
}

TEST(SelectPartners, WhatWasReadyNeedsNoPartner) {
  P p;
  p.channel(50, 1);
  const uint32_t c = p.channel(51, 4);
  p.select(1, 10, 0, {P::receive(kOther), P::send(c, true), P::send(c, false)});
  const ChannelRun run(p);
  const SelectPartners partners(run.relations());
  EXPECT_TRUE(partners.possible(run.select_cases[1]));
  EXPECT_FALSE(partners.possible(run.select_cases[2]));
}

TEST(SelectPartners, ItsOwnCasesAreNoPartners) {
  P p;
  const uint32_t c = p.channel(50, 0);
  p.select(1, 10, 0, {P::send(c), P::receive(c)});
  const ChannelRun run(p);
  EXPECT_FALSE(SelectPartners(run.relations()).possible(run.select_cases[1]));
}

// --- the generalised choices -------------------------------------------------------------------

std::vector<Candidate> candidates(const ChannelRun& run, uint32_t event) {
  std::vector<Candidate> out;
  ChoicePoints(run.relations()).candidates(event, out);
  return out;
}

// Acceptance test 6: eight cases, two with partners, one of which was taken.
TEST(ChoicePoints, TheBuggyCaseHasThreeOfNineWeights) {
  P p;
  for (SiteId site = 50; site < 58; ++site) p.channel(site, 0);
  p.select(1, 10, 2, {P::receive(1), P::receive(2), P::receive(3), P::receive(4), P::receive(5), P::receive(6), P::receive(7),
                      P::receive(8)});
  p.add(2, 20, Kind::channel_send, 3);
  p.passes(1, 0, true);
  p.blocked(3, 21, Kind::channel_send, 7);
  const ChannelRun run(p);
  const auto all = candidates(run, 0);
  ASSERT_EQ(all.size(), 8u);
  uint32_t total = 0;
  for (const Candidate& c : all) {
    EXPECT_EQ(c.weight, c.choice == 2 || c.choice == 6 ? 3u : 1u);
    if (c.choice != 2) total += c.weight;
  }
  EXPECT_EQ(total, 9u);
  // 3 of 9 when drawn by weight, 1 of 7 when not; the one taken never.
  for (bool weighted : {true, false}) {
    Rng rng(1);
    uint32_t buggy = 0;
    constexpr uint32_t kDraws = 20000;
    for (uint32_t i = 0; i < kDraws; ++i) {
      const int32_t choice = draw_other(all, 2, weighted, rng);
      ASSERT_NE(choice, 2);
      buggy += choice == 6;
    }
    EXPECT_NEAR(static_cast<double>(buggy) / kDraws, weighted ? 3.0 / 9 : 1.0 / 7, 0.01);
  }
}

TEST(ChoicePoints, WhatElseIsAChoice) {
  P p;
  p.add(1, 1, Kind::cond_signal, 1, Outcome::success).value = 3;
  p.events.back().choice = 1;
  p.add(1, 2, Kind::cond_signal, 1, Outcome::success).value = 1;
  p.add(1, 3, Kind::mutex_trylock, 2, Outcome::success);
  p.add(1, 4, Kind::atomic_cas, 3, Outcome::failure);
  p.add(1, 5, Kind::semaphore_wait, 4, Outcome::timeout).choice = 1;
  p.add(1, 6, Kind::semaphore_wait, 4, Outcome::none);  // not a timed one
  p.add(1, 7, Kind::rwlock_wrlock, 5, Outcome::success);
  p.add(1, 8, Kind::mutex_trylock, 2, Outcome::success).flags = kEventRecursive;
  const ChannelRun run(p);
  const ChoicePoints points(run.relations());
  const std::vector<std::pair<size_t, int32_t>> expected{{3, 1}, {1, 0}, {2, 0}, {2, 1}, {2, 1}, {0, points.kUndecided}, {2, 0},
                                                         {0, points.kUndecided}};
  for (uint32_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(candidates(run, i).size(), expected[i].first) << i;
    EXPECT_EQ(points.taken(i), expected[i].second) << i;
    EXPECT_EQ(points.is_choice(i), expected[i].first >= 2) << i;
  }
}

TEST(ChoicePoints, ATryThatFoundNothingMayWaitForIt) {
  P p;
  p.channel(50, 0);
  p.select(1, 10, -1, {P::receive(1), P::otherwise()});
  p.select(1, 11, 0, {P::receive(1)});  // one case: no choice
  const ChannelRun run(p);
  const ChoicePoints points(run.relations());
  EXPECT_EQ(points.taken(0), -1);
  EXPECT_EQ(candidates(run, 0).size(), 2u);
  EXPECT_TRUE(points.is_choice(0));
  EXPECT_FALSE(points.is_choice(1));
}

}  // namespace
}  // namespace heddle::mutator
