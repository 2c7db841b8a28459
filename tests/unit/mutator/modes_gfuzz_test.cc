// `gfuzz` and `gfuzz-hb`: orders and mutations (docs/design/gfuzz.md).
#include "mutator/modes/gfuzz.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "modes_gfuzz_run.h"
#include "mutator/modes/gfuzz_hb.h"

namespace heddle::mutator {
namespace {

using P = ChannelParent;

// --- mutations -----------------------------------------------------------------------------------

// The table of 3.3.
TEST(GfuzzHb, FlipProbability) {
  const std::map<size_t, double> table{{1, 0.99}, {2, 0.90}, {5, 0.60}, {10, 0.37}, {20, 0.21}, {43, 0.1016}, {44, 0.1}, {1000, 0.1}};
  for (const auto& [selects, p] : table) EXPECT_NEAR(flip_probability(selects), p, p == 0.1016 ? 0.00005 : 0.005) << selects;
  EXPECT_DOUBLE_EQ(flip_probability(44), 0.1);
  EXPECT_EQ(flip_probability(0), 0);
}

// n selects of thread 1 at one site, between `cases` channels without partners; all took the first.
P loop(uint32_t n, uint32_t thread = 1) {
  P p;
  p.channel(50, 0);
  p.channel(51, 0);
  p.channel(52, 0);
  for (uint32_t i = 0; i < n; ++i) p.select(thread, 10, 0, {P::receive(1), P::receive(2), P::receive(3)});
  return p;
}

SelectOrder order_of(const P& p, Choices which = Choices::selects) {
  const ChannelRun run(p);
  return recorded_order(ChoicePoints(run.relations()), which);
}

bool missed(const P& p, const Schedule& s) {
  const ChannelRun run(p);
  return missed_preference(ChoicePoints(run.relations()), s);
}

TEST(GfuzzHb, AtLeastOneFlipWithNinetyNinePercentAndEachWithTen) {
  for (size_t n : {1u, 10u, 60u}) {
    const SelectOrder order = order_of(loop(static_cast<uint32_t>(n)));
    Rng rng(n);
    constexpr int kDraws = 4000;
    int some = 0;
    std::vector<int> each(n);
    for (int i = 0; i < kDraws; ++i) {
      const auto choices = flip_some(order, rng);
      bool flipped = false;
      for (size_t k = 0; k < n; ++k) {
        each[k] += choices[k] != 0;
        flipped |= choices[k] != 0;
      }
      some += flipped;
    }
    EXPECT_GT(some, kDraws * 0.98) << n;
    for (int e : each) EXPECT_NEAR(e / double{kDraws}, flip_probability(n), 0.03) << n;
  }
}

// Partners count three times until the first flip of a mutation, and then all cases are alike.
TEST(GfuzzHb, PartnersAreKnownUpToTheFirstFlip) {
  P p = loop(2);
  p.blocked(2, 20, Kind::channel_send, 2);
  const SelectOrder order = order_of(p);
  Rng rng(3);
  int first[3] = {}, second[3] = {}, second_alone[3] = {};
  for (int i = 0; i < 20000; ++i) {
    const auto choices = flip_some(order, rng);
    ++first[choices[0]];
    ++(choices[0] != 0 ? second : second_alone)[choices[1]];
  }
  EXPECT_NEAR(static_cast<double>(first[1]) / first[2], 3, 0.3);
  EXPECT_NEAR(static_cast<double>(second[1]) / second[2], 1, 0.1);
  EXPECT_NEAR(static_cast<double>(second_alone[1]) / second_alone[2], 3, 0.6);
}

TEST(SelectOrder, AListPerThreadAndSite) {
  P p = loop(2);
  p.select(2, 10, 1, {P::receive(1), P::receive(2)});
  p.select(2, 11, -1, {P::receive(1), P::otherwise()});
  p.select(2, 12, 0, {P::receive(1)});
  p.blocked_select(2, 10, {P::receive(1), P::receive(2)});
  const SelectOrder order = order_of(p);
  ASSERT_EQ(order.size(), 4u);  // the one without a choice and the one that never finished are not in it
  EXPECT_EQ(order[0].select.instance, 1u);
  EXPECT_EQ(order[1].select.instance, 2u);
  EXPECT_EQ(order[1].select.thread, P::id(1));
  EXPECT_EQ(order[2].select.instance, 1u);
  EXPECT_EQ(order[2].select.thread, P::id(2));
  EXPECT_EQ(order[2].select.choice, 1);
  EXPECT_EQ(order[3].select.choice, -1);
  EXPECT_EQ(order[3].candidates.size(), 2u);
}

TEST(SelectOrder, EverythingFromTheFirstChangeOnIsPrescribed) {
  const SelectOrder order = order_of(loop(4));
  Schedule s;
  prescribe(s, order, {0, 2, 0, 1});
  ASSERT_EQ(s.selects.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(s.selects[i].instance, i + 2);
  EXPECT_EQ(s.selects[0].choice, 2);
  EXPECT_EQ(s.selects[1].choice, 0);
  EXPECT_EQ(s.selects[2].choice, 1);
  // The child's child: before its own first change, it must have its parent's preferences, or it would be another run.
  Schedule next = s;
  prescribe(next, order, {0, 0, 0, 2});
  ASSERT_EQ(next.selects.size(), 3u);
  EXPECT_EQ(next.selects[0].choice, 2);
  EXPECT_EQ(next.selects[2].choice, 2);
  // Nothing changed: nothing to be told.
  Schedule same;
  prescribe(same, order, {0, 0, 0, 0});
  EXPECT_TRUE(same.selects.empty());
}

TEST(SelectOrder, OpenPreferencesStayBehindTheExactOnes) {
  const SelectOrder order = order_of(loop(1));
  Schedule s;
  SelectPreference open{};
  open.site = 10;
  open.kind = Kind::select;
  s.selects = {open};
  prescribe(s, order, {1});
  ASSERT_EQ(s.selects.size(), 2u);
  EXPECT_EQ(s.selects[0].choice, 1);
  EXPECT_EQ(s.selects[1], open);
}

TEST(SelectOrder, MissedIsWhatRanAndTookAnother) {
  P p = loop(2);
  Schedule s;
  prescribe(s, order_of(p), {1, 0});
  EXPECT_TRUE(missed(p, s));  // the first took 0
  p.events[0].choice = 1;
  EXPECT_FALSE(missed(p, s));
  Schedule other;
  prescribe(other, order_of(loop(3)), {0, 0, 1});  // the third did not come to run
  EXPECT_FALSE(missed(p, other));
}

TEST(SelectOrder, WithHappensBeforeWhatElseMayComeOutOtherwise) {
  P p = without_selects();
  EXPECT_TRUE(order_of(p).empty());
  const SelectOrder order = order_of(p, Choices::all);
  ASSERT_EQ(order.size(), 4u);  // no thread disturbs the second lock
  const std::vector<std::pair<Kind, int32_t>> expected{{Kind::mutex_trylock, 0}, {Kind::mutex_trylock, 1}, {Kind::cond_signal, 0}, {Kind::sleep, 0}};
  for (size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(order[i].select.kind, expected[i].first);
    EXPECT_EQ(order[i].select.choice, expected[i].second);
  }
  Schedule s;
  prescribe(s, order, {0, 1, 1, 0});
  ASSERT_EQ(s.selects.size(), 2u);
  EXPECT_EQ(s.selects[0].kind, Kind::cond_signal);
  EXPECT_TRUE(missed(p, s));
  p.events[3].choice = 1;
  EXPECT_FALSE(missed(p, s));
}

TEST(SelectOrder, ManyPassagesOfOnePlaceGiveWay) {
  P p;
  for (size_t i = 0; i < 2 * kMaxPreferences; ++i) p.add(1 + i % 2, 10, Kind::atomic_cas, 1, Outcome::success);
  p.channel(50, 0);
  p.select(1, 11, -1, {P::receive(1), P::otherwise()});
  const SelectOrder order = order_of(p, Choices::all);
  EXPECT_EQ(order.size(), kMaxPreferences);
  EXPECT_EQ(order.back().select.kind, Kind::select);
}

// --- the modes -----------------------------------------------------------------------------------

// Runs the children of a mode against a program that is a function from a schedule to a run.
template <typename Program>
Schedule step(PublishedSystem& mode, const Schedule& parent, Rng& rng, const Program& program) {
  const Schedule child = mode.next(parent, rng);
  mode.learn(ChannelRun(program(child)), child, true);
  return child;
}

// One select of eight cases, the partners of two of which are there; without a preference, or with one that has no partner, the third.
P eight_cases(const Schedule& s) {
  P p;
  for (SiteId site = 50; site < 58; ++site) p.channel(site, 0);
  int32_t taken = 2;
  bool preferred = false;
  for (const SelectPreference& x : s.selects) {
    if (x.choice == 2 || x.choice == 6) taken = x.choice, preferred = true;
  }
  p.select(1, 10, taken, {P::receive(1), P::receive(2), P::receive(3), P::receive(4), P::receive(5), P::receive(6), P::receive(7),
                          P::receive(8)});
  if (preferred) p.events[0].flags = kEventPreferred;
  p.add(2, 20, Kind::channel_send, static_cast<uint32_t>(taken + 1));
  p.passes(1, 0, true);
  p.blocked(3, 21, Kind::channel_send, taken == 2 ? 7 : 3);
  return p;
}

// How many runs, the recorded one among them, until the seventh case is taken. The mean over seeds.
template <typename M>
double runs_to_the_bug() {
  constexpr int kTries = 1000;
  int runs = 0;
  for (int seed = 0; seed < kTries; ++seed) {
    M mode;
    Rng rng(static_cast<uint64_t>(seed));
    const Schedule start;
    mode.learn(ChannelRun(eight_cases(start)), start, false);
    for (++runs; ++runs;) {
      const Schedule child = step(mode, start, rng, eight_cases);
      if (!child.selects.empty() && child.selects[0].choice == 6) break;
    }
  }
  return runs / double{kTries};
}

// Acceptance test 6: 1 of 8 against 3 of 9. The first run is the recorded one; the mean of a geometric draw is 1 / p, and runs that
// repeat an order whose case was missed come on top.
TEST(GfuzzModes, PartnersCutTheRunsToTheBug) {
  const double uniform = runs_to_the_bug<Gfuzz>(), with_partners = runs_to_the_bug<GfuzzHb>();
  std::printf("mean runs to the bug: gfuzz %.2f, gfuzz-hb %.2f\n", uniform, with_partners);
  EXPECT_GT(uniform, 1 + 8);
  EXPECT_LT(uniform, 12);
  EXPECT_GT(with_partners, 1 + 9 / 3.0 - 0.3);
  EXPECT_LT(with_partners, 5);
}

TEST(GfuzzModes, GfuzzDrawsEveryCaseAlikeTheTakenOneToo) {
  std::map<int32_t, int> drawn;
  for (uint64_t seed = 0; seed < 8000; ++seed) {
    Gfuzz mode;
    Rng rng(seed);
    mode.learn(ChannelRun(eight_cases({})), {}, false);
    const Schedule child = mode.next({}, rng);
    ++drawn[child.selects.empty() ? 2 : child.selects[0].choice];
  }
  ASSERT_EQ(drawn.size(), 8u);
  for (const auto& [choice, count] : drawn) EXPECT_NEAR(count, 1000, 120) << choice;
}

TEST(GfuzzModes, AChildReplaysItsParentUpToTheFirstFlip) {
  GfuzzHb mode;
  Rng rng(5);
  Schedule start;
  start.seed = 42;
  start.payload = {1, 2};
  mode.learn(ChannelRun(eight_cases(start)), start, false);
  const Schedule child = mode.next({}, rng);
  EXPECT_EQ(child.seed, 42u);
  EXPECT_EQ(child.payload, start.payload);
  ASSERT_EQ(child.selects.size(), 1u);
  EXPECT_EQ(child.selects[0].kind, Kind::select);
}

TEST(GfuzzModes, RepeatedRunsAreNotNews) {
  GfuzzHb mode;
  Gfuzz paper_mode;
  const ChannelRun run(eight_cases({}));
  for (int i = 0; i < 2; ++i) {  // the engine runs the default schedule twice
    mode.learn(run, {}, false);
    paper_mode.learn(run, {}, false);
    EXPECT_EQ(mode.queued(), 1u);
    EXPECT_EQ(paper_mode.queued(), 1u);
  }
}

// Children beyond the first five are of later rounds. Seven mutations, twice each.
TEST(GfuzzModes, RoundsGoOnUntilNothingIsLeft) {
  GfuzzHb mode;
  Rng rng(5);
  Schedule start;
  start.seed = 42;
  mode.learn(ChannelRun(eight_cases(start)), start, false);
  std::map<int32_t, int> made;
  for (int i = 0; i < 200; ++i) {
    const Schedule child = mode.next(start, rng);
    if (child.selects.empty()) EXPECT_NE(child.seed, 42u);
    else ++made[child.selects[0].choice];
  }
  EXPECT_GE(made.size(), 6u);
  for (const auto& [choice, times] : made) EXPECT_LE(times, 2);
  EXPECT_EQ(made.count(2), 0u);
  EXPECT_TRUE(mode.next(start, rng).selects.empty());
}

// Two cases, so there is one mutation. It runs twice, the second time with another seed, with any score.
P two_cases(const Schedule&) {
  P p;
  p.channel(50, 0);
  p.channel(51, 0);
  p.select(1, 10, 0, {P::receive(1), P::receive(2)});
  p.events[0].flags = kEventPreferred;
  return p;
}

TEST(GfuzzModes, AMutationRunsTwiceAtMost) {
  GfuzzHb mode;
  Rng rng(5);
  Schedule start;
  start.seed = 42;
  mode.learn(ChannelRun(two_cases(start)), start, false);
  int runs = 0;
  std::set<uint64_t> seeds;
  for (int i = 0; i < 50; ++i) {
    const Schedule child = mode.next(start, rng);
    if (child.selects.empty()) continue;
    ++runs;
    seeds.insert(child.seed);
  }
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(seeds.size(), 2u);
  EXPECT_TRUE(seeds.count(42));
}

// The second case never has a partner. The order runs once more; missing the case again changes nothing.
TEST(GfuzzModes, AMissedPreferenceIsRunOnceMoreUnderAnotherSeed) {
  GfuzzHb mode;
  Rng rng(5);
  Schedule start;
  start.seed = 42;
  const auto program = [](const Schedule& s) {
    P p = two_cases(s);
    p.events[0].flags = 0;
    return p;
  };
  mode.learn(ChannelRun(program(start)), start, false);
  std::set<uint64_t> seeds;
  for (int i = 0; i < 50; ++i) {
    const Schedule child = step(mode, start, rng, program);
    if (!child.selects.empty()) EXPECT_TRUE(seeds.insert(child.seed).second);
  }
  EXPECT_EQ(seeds.size(), 3u);
}

TEST(GfuzzQueue, MissesAreQueuedOnceForTheirPreferences) {
  const ChannelRun recorded(loop(1));
  const ChoicePoints run(recorded.relations());
  Schedule s;
  prescribe(s, order_of(loop(1)), {1});
  GfuzzQueue queue;
  queue.note_missed(run, s);
  ASSERT_EQ(queue.size(), 1u);
  EXPECT_TRUE(queue.front()->again);
  s.seed = 77;
  queue.note_missed(run, s);
  EXPECT_EQ(queue.size(), 1u);
  s.selects[0].choice = 2;
  queue.note_missed(run, s);
  EXPECT_EQ(queue.size(), 2u);
  queue.count_child();
  queue.count_child();
  EXPECT_EQ(queue.front(), nullptr);  // not again in the next round
}

TEST(GfuzzModes, WithHappensBeforeOtherChoicesAreMutatedAsSelectsAre) {
  GfuzzHb mode;
  Gfuzz paper_mode;
  mode.learn(ChannelRun(without_selects()), {}, false);
  paper_mode.learn(ChannelRun(without_selects()), {}, false);
  EXPECT_EQ(mode.queued(), 1u);
  EXPECT_EQ(paper_mode.queued(), 0u);
  Rng rng(1);
  std::set<Kind> kinds;
  for (int i = 0; i < 5; ++i) {
    const Schedule child = mode.next({}, rng);
    for (const SelectPreference& p : child.selects) kinds.insert(p.kind);
  }
  EXPECT_EQ(kinds, (std::set<Kind>{Kind::mutex_trylock, Kind::cond_signal, Kind::sleep}));
}

TEST(GfuzzModes, CutOffRunsAndProgramsWithoutChoicesHaveNoChildren) {
  GfuzzHb mode;
  Gfuzz paper_mode;
  P cut = eight_cases({});
  cut.flags |= kRunStepBound;
  mode.learn(ChannelRun(cut), {}, false);
  paper_mode.learn(ChannelRun(cut), {}, false);
  P threads;
  threads.add(1, 1, Kind::mutex_lock, 1);
  mode.learn(ChannelRun(threads), {}, false);
  EXPECT_EQ(mode.queued(), 0u);
  EXPECT_EQ(paper_mode.queued(), 0u);
}

}  // namespace
}  // namespace heddle::mutator
