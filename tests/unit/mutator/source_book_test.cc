// Which sources reads had, over many runs: against counts in maps.
#include "mutator/knowledge/source_book.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "parent.h"

namespace heddle::mutator {
namespace {

// Two threads store at 10 and 20; the third loads at 30 from the event of that number, or the initial value.
void learn(SourceBook& book, uint32_t source, uint64_t hash = 1, uint32_t flags = 0) {
  Parent p;
  p.hash = hash;
  p.flags = flags;
  p.add(1, 10, Kind::atomic_store, 1);
  p.add(2, 20, Kind::atomic_store, 1);
  p.add(3, 30, Kind::atomic_load, 1).partner = source;
  KnownRun run;
  run.assign(p.summary());
  book.learn(run);
}

std::set<SiteId> drawn(const SourceBook& book) {
  std::set<SiteId> writers;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    if (const auto* pair = book.draw(rng)) writers.insert(pair->write.site);
  }
  return writers;
}

TEST(SourceBook, DrawsWhatIsRare) {
  SourceBook book;
  EXPECT_TRUE(drawn(book).empty());
  for (int i = 0; i < 6; ++i) learn(book, 0);
  learn(book, 1);
  EXPECT_TRUE(drawn(book).empty()) << "one in seven";
  learn(book, 0);
  EXPECT_EQ(drawn(book), std::set<SiteId>{20}) << "one in eight";
  for (int i = 0; i < 8; ++i) learn(book, 0);
  learn(book, kNoEvent);
  EXPECT_EQ(drawn(book), (std::set<SiteId>{20, kNoSite})) << "the initial value, too";
}

TEST(SourceBook, RemembersANovelRunThatHadThePair) {
  SourceBook book;
  learn(book, 1, 7);
  learn(book, 1, 8, kRunNovel);
  learn(book, 1, 9);
  for (int i = 0; i < 30; ++i) learn(book, 0, 10);
  Rng rng(1);
  const SourceBook::Pair* pair = nullptr;
  while (pair == nullptr) pair = book.draw(rng);
  EXPECT_EQ(pair->run, 8u);
}

// Runs of known orders are learnt from by a sample: one in eight by their hashes, and it counts for eight.
TEST(SourceBook, ASampleOfFamiliarRunsStandsForAllOfThem) {
  SourceBook book;
  for (uint64_t hash = 1; hash < 8; ++hash) learn(book, 1, hash, kRunFamiliar);
  EXPECT_TRUE(drawn(book).empty()) << "not looked at";
  for (uint64_t hash = 1; hash <= 56; ++hash) learn(book, 0, hash, kRunFamiliar);
  learn(book, 1, 8, kRunFamiliar);
  EXPECT_EQ(drawn(book), std::set<SiteId>{20}) << "eight in 64";
  learn(book, kNoEvent, 9, kRunFamiliar | kRunNovel);
  EXPECT_EQ(drawn(book), (std::set<SiteId>{20, kNoSite})) << "a novel one is always looked at, and counts for itself";
}

TEST(SourceBook, IsSettledWhenNoNewPairHasComeForLong) {
  SourceBook book;
  learn(book, 0);
  for (int i = 0; i < 4000; ++i) learn(book, 0);
  EXPECT_FALSE(book.settled());
  for (uint64_t hash = 8; hash <= 200; hash += 8) learn(book, 0, hash, kRunFamiliar);  // each counts for eight
  EXPECT_TRUE(book.settled());
  learn(book, 1);
  EXPECT_FALSE(book.settled());
}

TEST(SourceBook, OwnValuesArePassagesAndNoPairs) {
  SourceBook book;
  Parent p;
  p.add(1, 10, Kind::atomic_store, 1);
  p.add(1, 11, Kind::atomic_load, 1).partner = 0;
  KnownRun run;
  run.assign(p.summary());
  book.learn(run);
  EXPECT_FALSE(book.known(run.events[1], run.events[0]));
}

// Random runs. Everything drawn is rare by the counts, and everything that is clearly rare enough is drawn.
TEST(SourceBook, AgreesWithASlowReference) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    SourceBook book;
    std::map<SiteId, double> passages;
    std::map<std::pair<SiteId, SiteId>, double> pairs;
    for (int n = 0; n < 50; ++n) {
      Parent p;
      for (SiteId site = 1; site <= 8; ++site) p.add(site, site, Kind::atomic_store, 1);
      for (int reads = 0; reads < 10; ++reads) {
        const auto from = std::min({random() % 8, random() % 8, random() % 8});
        const SiteId reader = 100 + random() % 3;
        p.add(9, reader, Kind::atomic_load, 1).partner = static_cast<uint32_t>(from);
        ++passages[reader];
        ++pairs[{reader, from + 1}];
      }
      KnownRun run;
      run.assign(p.summary());
      book.learn(run);
      for (const Event& e : run.events) {
        if (e.kind != Kind::atomic_load) continue;
        for (uint32_t w = 0; w < 8; ++w) EXPECT_EQ(book.known(e, run.events[w]), (pairs.count({e.site, w + 1}) != 0));
      }
    }
    std::set<std::pair<SiteId, SiteId>> seen;
    for (uint32_t seed = 0; seed < 2000; ++seed) {
      Rng rng(seed);
      if (const auto* pair = book.draw(rng)) seen.insert({pair->read.site, pair->write.site});
    }
    for (const auto& [pair, count] : pairs) EXPECT_EQ(seen.count(pair) != 0, count * 8 <= passages[pair.first]);
  }
}

}  // namespace
}  // namespace heddle::mutator
