#include "mutator/knowledge/bandit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mutator/mutator.h"
#include "mutator/operators/operator.h"
#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

constexpr uint32_t kPriors[] = {10, 10, 20, 0};

struct Campaign {
  Bandit bandit{kPriors};
  uint64_t child = 0;

  void run(Bandit::Arms arms, bool novel, int times = 1) {
    for (int i = 0; i < times; ++i) {
      bandit.made(++child, arms);
      bandit.ran(child, novel);
    }
  }
};

TEST(Bandit, DrawsByThePriorsWhileNothingIsKnown) {
  const Bandit b(kPriors);
  Rng rng(1);
  int drawn[4] = {};
  for (int i = 0; i < 40000; ++i) ++drawn[b.draw(rng)];
  EXPECT_NEAR(drawn[0], 10000, 500);
  EXPECT_NEAR(drawn[1], 10000, 500);
  EXPECT_NEAR(drawn[2], 20000, 500);
  EXPECT_EQ(drawn[3], 0);
  EXPECT_DOUBLE_EQ(b.share(2), 0.5);
}

// The same random numbers give the same draws as a table of the priors. So a mutator that has learned nothing behaves as without the bandit.
TEST(Bandit, DrawsAsTheTableOfPriorsWould) {
  const Bandit b(kPriors);
  Rng rng(2), same(2);
  for (int i = 0; i < 2000; ++i) {
    const uint32_t ticket = same.below(40);
    EXPECT_EQ(b.draw(rng), ticket < 10 ? 0u : ticket < 20 ? 1u : 2u);
    EXPECT_EQ(b.chance(0, 3, 7, rng), same.chance(3, 7));
  }
}

TEST(Bandit, AnArmThatContributesGainsAndOneThatDoesNotLoses) {
  Campaign c;
  for (int i = 0; i < 400; ++i) {
    c.run(1, true);
    c.run(2, false, 3);
    c.run(4, i % 4 == 0);  // as good as the average, about
  }
  const double average = 2 / 8.0;
  EXPECT_GT(c.bandit.factor(0), Bandit::kOne * 2);
  EXPECT_LT(c.bandit.factor(1), Bandit::kOne / 2);
  EXPECT_NEAR(c.bandit.factor(2), Bandit::kOne, Bandit::kOne * average);
  EXPECT_GT(c.bandit.share(0), 0.25);
  Rng rng(1);
  int yes = 0;
  for (int i = 0; i < 1000; ++i) yes += c.bandit.chance(0, 1, 4, rng);
  EXPECT_GT(yes, 350);
}

TEST(Bandit, NoArmStarvesAndNoneTakesAll) {
  Campaign c;
  for (int i = 0; i < 5000; ++i) {
    c.run(1, true);
    c.run(2, false);
    c.run(4, false, 8);
  }
  EXPECT_EQ(c.bandit.factor(0), Bandit::kCeiling);
  EXPECT_EQ(c.bandit.factor(1), Bandit::kFloor);
  EXPECT_EQ(c.bandit.factor(2), Bandit::kFloor);
  Rng rng(1);
  int drawn[4] = {};
  for (int i = 0; i < 40000; ++i) ++drawn[c.bandit.draw(rng)];
  EXPECT_GT(drawn[1], 1000);
  EXPECT_GT(drawn[2], 2000);
}

// Late in a campaign one novel child in thousands is no reason to change anything.
TEST(Bandit, LittleEvidenceMovesLittle) {
  Campaign c;
  c.run(2, false, 3000);
  c.run(4, false, 3000);
  c.run(1, true);
  c.run(2, false, 64);
  EXPECT_LE(c.bandit.factor(0), Bandit::kOne * 5 / 4);
  EXPECT_GE(c.bandit.factor(1), Bandit::kOne * 3 / 4);
}

TEST(Bandit, RecentResultsCountMore) {
  Campaign c;
  const auto period = [&](Bandit::Arms good, Bandit::Arms bad) {
    for (int i = 0; i < 3000; ++i) {
      c.run(good, i % 2);
      c.run(bad, false);
    }
  };
  period(1, 2);
  EXPECT_GT(c.bandit.factor(0), c.bandit.factor(1) * 2);
  period(2, 1);
  EXPECT_GT(c.bandit.factor(1), c.bandit.factor(0) * 2);
  // And after so many children that nothing of the sums' scale is left.
  for (int i = 0; i < 250; ++i) period(1, 2);
  EXPECT_GT(c.bandit.factor(0), c.bandit.factor(1) * 2);
}

TEST(Bandit, TheMovesOfAChildShareItsCredit) {
  Campaign alone, together;
  for (int i = 0; i < 500; ++i) {
    alone.run(1, true);
    together.run(1 | 4, true);
    for (Campaign* c : {&alone, &together}) c->run(2, false);
  }
  EXPECT_EQ(together.bandit.factor(0), together.bandit.factor(2));
  EXPECT_LT(together.bandit.factor(0), alone.bandit.factor(0));
  EXPECT_EQ(together.bandit.figures(0).novel, 500u);
}

TEST(Bandit, OnlyItsOwnChildrenCountAndEachOnce) {
  Bandit b(kPriors);
  for (uint64_t i = 1; i <= 200; ++i) b.ran(i, true);  // inputs of the corpus
  b.made(7, 1);
  for (uint64_t i = 8; i <= 200; ++i) b.ran(i, true);
  EXPECT_EQ(b.figures(0).novel, 0u);
  b.ran(7, true);
  for (int i = 0; i < 200; ++i) b.ran(7, true);
  EXPECT_EQ(b.figures(0).used, 1u);
  EXPECT_EQ(b.figures(0).novel, 1u);
  EXPECT_EQ(b.factor(0), Bandit::kOne);
}

TEST(Bandit, AChildMayRunAFewCallsLater) {
  Bandit b(kPriors);
  for (uint64_t i = 1; i <= 10; ++i) b.made(i, 1);
  for (uint64_t i = 1; i <= 10; ++i) b.ran(i, i % 2);
  EXPECT_EQ(b.figures(0).used, 10u);
  EXPECT_EQ(b.figures(0).novel, 5u);
}

// --- in the mutator -----------------------------------------------------------------------------

struct Result {
  std::vector<std::vector<uint8_t>> children;
  std::vector<std::string> moves;
  std::string statistics;
};

// Children of one run in a row; novel is what reverses an order.
Result campaign(uint32_t children) {
  Mutator m;
  Parent p;
  for (uint32_t i = 0; i < 12; ++i) p.add(i % 3, 1 + i, i % 2 ? Kind::mutex_unlock : Kind::mutex_lock, 1 + i % 2);
  Result r;
  std::vector<uint8_t> input;
  for (uint32_t i = 0; i < children; ++i) {
    p.hash = hash_input(input);
    Schedule s;
    decode_schedule(input, s);
    p.flags = i == 0 || (!s.elements.empty() && i % 3 == 0) ? kRunNovel : 0u;
    m.learn(p.summary(), input);
    std::vector<uint8_t> child(4096);
    child.resize(m.mutate(child.data(), 0, child.size(), i));
    r.children.push_back(child);
    r.moves.push_back(m.last_operators());
    input = child;
  }
  r.statistics = m.statistics();
  return r;
}

TEST(Bandit, TheMutatorStaysDeterministic) {
  const Result a = campaign(2000), b = campaign(2000);
  EXPECT_EQ(a.children, b.children);
  EXPECT_EQ(a.statistics, b.statistics);
}

TEST(Bandit, StatisticsNameEachMoveThatWasUsedAndNoOther) {
  EXPECT_EQ(Mutator().statistics(), "");
  const Result r = campaign(2000);
  for (const Operator& op : operators()) {
    const auto used = std::count_if(r.moves.begin(), r.moves.end(), [&](const std::string& moves) {
      return ("-" + moves + "-").find("-" + std::string(op.name) + "-") != std::string::npos;
    });
    const size_t line = r.statistics.find("\n" + std::string(op.name) + " ");
    ASSERT_EQ(line != std::string::npos, used != 0) << op.name << "\n" << r.statistics;
    if (used == 0) continue;
    EXPECT_EQ(std::stol(r.statistics.substr(line + 1 + op.name.size())), used) << op.name;
  }
}

TEST(Bandit, StatisticsNameWhatIsNoMove) {
  Options options;
  options.opening = 0;
  Mutator m(options);
  Schedule s;
  s.payload.assign(200, 'x');
  std::vector<uint8_t> a = encode_schedule(s), out(4096);
  m.cross_over(a.data(), a.size(), a.data(), a.size(), out.data(), out.size(), 1);
  EXPECT_NE(m.statistics().find("\ncross_over "), std::string::npos);
  m.mutate(a.data(), a.size(), 100, 1);
  EXPECT_NE(m.statistics().find("\nshrink "), std::string::npos);
}

}  // namespace
}  // namespace heddle::mutator
