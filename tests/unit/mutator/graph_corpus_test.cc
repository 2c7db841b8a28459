// The corpus of execution graphs, and the draw by weight that it stands on.
#include "mutator/graph/graph_corpus.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "mutator/graph/graph_change.h"
#include "weak_parent.h"

namespace heddle::mutator {
namespace {

TEST(WeightedDraw, FindsWhatASumFinds) {
  std::mt19937_64 random(1);
  WeightedDraw draw;
  std::vector<uint64_t> weights;
  for (int step = 0; step < 2000; ++step) {
    const uint64_t w = random() % 5;
    if (weights.empty() || random() % 2 == 0) {
      draw.add(w);
      weights.push_back(w);
    } else {
      const size_t i = random() % weights.size();
      draw.set(i, w);
      weights[i] = w;
    }
    uint64_t sum = 0;
    for (const uint64_t x : weights) sum += x;
    ASSERT_EQ(draw.sum(), sum);
    if (sum == 0) continue;
    uint64_t ticket = random() % sum;
    const size_t found = draw.find(ticket);
    size_t expected = 0;
    while (ticket >= weights[expected]) ticket -= weights[expected++];
    ASSERT_EQ(found, expected);
  }
}

// Runs with graphs of their own: thread 1 stores n times, thread 2 reads one of the stores.
struct Runs {
  GraphCorpus corpus;
  explicit Runs(size_t limit = 64u << 20) : corpus(limit) {}

  GraphKey run(uint32_t stores, uint32_t read, size_t payload = 0) {
    WeakParent p;
    for (uint32_t i = 0; i < stores; ++i) p.store(1, 1);
    p.load(2, 1, read);
    KnownRun known;
    p.known(known);
    const GraphKey key = corpus.key_of(known);
    if (corpus.seen(key)) return key;
    Schedule s;
    s.payload.resize(payload);
    corpus.add(key, known, s);
    return key;
  }
  std::map<uint64_t, int> draws(int count) {
    std::map<uint64_t, int> out;
    Rng rng(7);
    for (int i = 0; i < count; ++i) ++out[corpus.draw(rng)->key.low];
    return out;
  }
};

TEST(GraphCorpus, HasOneRunForEachGraph) {
  Runs r;
  Rng rng(1);
  EXPECT_EQ(r.corpus.draw(rng), nullptr);
  const GraphKey a = r.run(3, 0), b = r.run(3, 1);
  EXPECT_FALSE(a == b);
  EXPECT_EQ(r.run(3, 0), a);
  EXPECT_EQ(r.corpus.size(), 2u);
}

TEST(GraphCorpus, BlockedRunsAreOthers) {
  GraphCorpus corpus(1 << 20);
  WeakParent p;
  p.store(1, 1);
  KnownRun blocked, finished;
  p.known(finished);
  p.threads[1].state = static_cast<uint8_t>(ThreadEnd::blocked);
  p.known(blocked);
  EXPECT_FALSE(corpus.key_of(blocked) == corpus.key_of(finished));
}

TEST(GraphCorpus, DrawsWhatIsRareAndWasDrawnLittle) {
  Runs r;
  const GraphKey often = r.run(3, 0), rare = r.run(3, 1);
  for (int i = 0; i < 9; ++i) r.run(3, 0);
  const auto once = r.draws(1000);
  // Energies 1 / (10 * (1 + chosen)) and 1 / (1 + chosen): in balance when the rare one is chosen sqrt(10) times as often.
  EXPECT_NEAR(static_cast<double>(once.at(rare.low)) / once.at(often.low), 3.16, 0.6);
}

TEST(GraphCorpus, AChoiceThatWasGoodIsGivenBack) {
  Runs r;
  const GraphKey good = r.run(3, 0), other = r.run(3, 1);
  Rng rng(3);
  std::map<uint64_t, int> drawn;
  for (int i = 0; i < 1000; ++i) {
    const auto* const k = r.corpus.draw(rng);
    ++drawn[k->key.low];
    if (k->key == good) r.corpus.give_back(good);
  }
  EXPECT_GT(drawn[good.low], 8 * drawn[other.low]);
}

TEST(GraphCorpus, DropsWhatWasDrawnMostWithoutNews) {
  Runs r(200'000);
  const GraphKey first = r.run(3, 0, 50'000), second = r.run(3, 1, 50'000);
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    if (r.corpus.draw(rng)->key == second) r.corpus.give_back(second);
  }
  r.run(3, 2, 50'000);
  EXPECT_EQ(r.corpus.size(), 3u);
  r.run(4, 0, 50'000);
  EXPECT_EQ(r.corpus.size(), 3u);
  EXPECT_FALSE(r.draws(200).contains(first.low));
  r.run(3, 0);  // known, though it is not kept
  EXPECT_EQ(r.corpus.size(), 3u);
}

TEST(GraphChange, ChangesOneEventOfTheKindThatWasAskedFor) {
  WeakParent p;
  const uint32_t low = p.store(1, 1);
  p.store(3, 1);
  p.load(2, 1, low);
  KnownRun run;
  p.known(run);
  const RunGraph graph(run);
  std::map<uint32_t, int> of_reads, of_stores;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const auto read = draw_graph_change(graph, ChangedEvents::reads, rng);
    ASSERT_FALSE(read.empty());
    EXPECT_EQ(read.back().thread, WeakParent::id(2));
    ++of_reads[read.back().from_index == 0 ? 0 : static_cast<uint32_t>(read.back().from_thread == WeakParent::id(3) ? 3 : 1)];
    const auto store = draw_graph_change(graph, ChangedEvents::plain_stores, rng);
    ASSERT_FALSE(store.empty());
    EXPECT_EQ(store.back().kind, Kind::atomic_store);
    ++of_stores[store.back().thread == WeakParent::id(1) ? 1 : 3];
  }
  EXPECT_EQ(of_reads.size(), 2u);  // the initial value and the other store, not the one that it read
  EXPECT_FALSE(of_reads.contains(1));
  EXPECT_EQ(of_stores.size(), 2u);
  WeakParent alone;
  alone.add(1, 5, Kind::mutex_lock, 1);
  KnownRun none;
  alone.known(none);
  Rng rng(1);
  EXPECT_TRUE(draw_graph_change(RunGraph(none), ChangedEvents::all, rng).empty());
}

// What coherence forbids because of the same thread, or of a thread's creation, is not tried.
TEST(GraphChange, AsksForNothingThatTheThreadHasSeenOvertaken) {
  WeakParent p;
  p.store(0, 1);
  const uint32_t mine = p.store(1, 1), later = p.store(2, 1);
  p.threads[1].create_event = 0;
  p.load(1, 1, mine);
  KnownRun run;
  p.known(run);
  const RunGraph graph(run);
  EXPECT_EQ(graph.other_sources(3), (std::vector<uint32_t>{later}));
  EXPECT_EQ(graph.other_sources(1), (std::vector<uint32_t>{later}));  // not the initial value: main's store came before its creation
}

}  // namespace
}  // namespace heddle::mutator
