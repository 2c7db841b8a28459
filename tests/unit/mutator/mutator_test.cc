#include "mutator/mutator.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdio>
#include <ctime>
#include <random>

#include "mutator/knowledge/energy.h"
#include "mutator/knowledge/store.h"
#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

using Bytes = std::vector<uint8_t>;

Parent random_parent(std::mt19937& rng) {
  static constexpr Kind kKinds[] = {
      Kind::mutex_lock,  Kind::mutex_unlock, Kind::atomic_load,  Kind::atomic_store, Kind::plain_read,
      Kind::plain_write, Kind::cond_signal,  Kind::cond_wait,    Kind::cond_wake,    Kind::yield,
      Kind::once_begin,  Kind::thread_exit,  Kind::channel_send, Kind::mutex_trylock};
  Parent p;
  const uint32_t n = rng() % 40;
  for (uint32_t i = 0; i < n; ++i) {
    Event& e = p.add(rng() % 5, 1 + rng() % 12, kKinds[rng() % std::size(kKinds)], rng() % 4,
                     static_cast<Outcome>(rng() % 6));
    e.choice = rng() % 4;
    if (rng() % 4 == 0) e.partner = rng();  // rubbish, as a torn shared memory may hold
    if (rng() % 16 == 0) e.thread = rng();
    if (rng() % 16 == 0) e.object = rng();
  }
  for (uint32_t i = rng() % 4; i > 0; --i) {
    p.races.push_back({1 + rng() % 12, 1 + rng() % 12, 0, 1, static_cast<uint8_t>(rng() % 2),
                       rng() % 4 == 0 ? kKinds[rng() % std::size(kKinds)] : Kind::none, Kind::none});
  }
  p.flags = rng() % 2 ? kRunNovel : 0u;
  return p;
}

Bytes random_bytes(std::mt19937& rng) {
  Bytes bytes(rng() % 60);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(rng());
  return bytes;
}

// Bytes of a random schedule, by mutating from nothing.
Bytes random_schedule(Mutator& m, std::mt19937& rng) {
  Bytes data(4096);
  size_t size = 0;
  for (uint32_t i = rng() % 8 + 1; i > 0; --i) size = m.mutate(data.data(), size, data.size(), rng());
  data.resize(size);
  return data;
}

void learn(Mutator& m, Parent& p, const Bytes& input) {
  p.hash = hash_input(input);
  m.learn(p.summary(), input);
}

Bytes learnt_schedule(Mutator& m, std::mt19937& rng) {
  const Bytes data = random_schedule(m, rng);
  Parent p = random_parent(rng);
  learn(m, p, data);
  return data;
}

// Engines hand the last child back as a parent; it is not decoded again then. A mutator that has seen other bytes in between reads it.
TEST(Mutator, GoesOnFromItsLastChildAsFromItsBytes) {
  ASSERT_TRUE(rc::check("last child", [](uint32_t seed) {
    Bytes made[2];
    for (const bool in_between : {false, true}) {
      std::mt19937 rng(seed);
      Mutator m;
      Bytes data = learnt_schedule(m, rng);
      const size_t max = rng() % 4 ? 4096 : 200 + rng() % 400;
      size_t size = data.size();
      data.resize(std::max(size, max));
      for (int generation = 0; generation < 4; ++generation) {
        size = m.mutate(data.data(), size, max, rng());
        Bytes foreign(2, 0x55);
        if (in_between) m.mutate(foreign.data(), foreign.size(), 1, 0);
      }
      made[in_between].assign(data.begin(), data.begin() + static_cast<long>(size));
    }
    RC_ASSERT(made[0] == made[1]);
  }));
}

// So does a crossover.
TEST(Mutator, CrossesItsLastChildAsItsBytes) {
  ASSERT_TRUE(rc::check("last child", [](uint32_t seed) {
    Bytes made[2];
    for (const bool in_between : {false, true}) {
      std::mt19937 rng(seed);
      Mutator m;
      const Bytes other = random_schedule(m, rng);
      Bytes data = learnt_schedule(m, rng);
      const size_t before = data.size();
      data.resize(4096);
      const size_t size = m.mutate(data.data(), before, data.size(), rng());
      Bytes foreign(2, 0x55), out(4096);
      if (in_between) m.mutate(foreign.data(), foreign.size(), 1, 0);
      out.resize(m.cross_over(data.data(), size, other.data(), other.size(), out.data(), out.size(), rng()));
      made[in_between] = out;
    }
    RC_ASSERT(made[0] == made[1]);
  }));
}

// A child that only repeats a set that was tried often is made again. This is rare if nothing has been novel for long.
TEST(Mutator, TriesAgainSeldomWhereNothingIsNovel) {
  static int calls;
  Options options;
  options.repeats = options.repeats_productive = 0;  // every set of constraints was tried often enough
  options.order_weight = options.reads_from_weight = options.plain_weight = options.search_weight = 0;
  options.select_weight = options.flow_weight = 0;
  Mutator m(options);
  m.set_byte_mutator([](uint8_t*, size_t size, size_t) {
    ++calls;
    return size;
  });
  Schedule s;
  Element lock{};
  lock.site = 7;
  lock.kind = Kind::mutex_lock;
  s.elements = {lock, lock};
  s.payload = {1, 2, 3};
  const Bytes parent = encode_schedule(s);
  Parent run;
  run.add(0, 7, Kind::mutex_lock, 1);
  run.add(1, 7, Kind::mutex_lock, 1);
  const auto calls_for_children = [&] {
    calls = 0;
    for (uint32_t seed = 0; seed < 4000; ++seed) {
      Bytes data = parent;
      data.resize(4096);
      m.mutate(data.data(), parent.size(), data.size(), seed);
    }
    return calls;
  };
  run.flags = kRunNovel;
  learn(m, run, parent);
  const int lately = calls_for_children();
  run.flags = 0;
  for (int i = 0; i < 5000; ++i) learn(m, run, Bytes{1});
  const int long_ago = calls_for_children();
  EXPECT_GT(long_ago, 0);
  EXPECT_GT(lately * 4, long_ago * 5);
  run.flags = kRunNovel;
  learn(m, run, parent);
  EXPECT_EQ(calls_for_children(), lately);
}

TEST(Mutator, MutantsDecodeAreCanonicalAndFit) {
  ASSERT_TRUE(rc::check("mutants", [](uint32_t seed) {
    std::mt19937 rng(seed);
    Mutator m;
    for (int round = 0; round < 6; ++round) {
      Bytes input = rng() % 3 ? random_schedule(m, rng) : random_bytes(rng);
      Parent p = random_parent(rng);
      if (rng() % 4) learn(m, p, input);
      const size_t max = rng() % 4 ? 4096 : 1 + rng() % 400;
      const size_t before = input.size();
      input.resize(std::max(before, max));
      const size_t n = m.mutate(input.data(), before, max, rng());
      RC_ASSERT(n > 0u);
      RC_ASSERT(n <= max);
      Schedule s;
      const bool schedule = decode_schedule({input.data(), n}, s);
      if (before <= max && max >= 200) RC_ASSERT(schedule);
      if (!schedule) continue;
      const Bytes again = encode_schedule(s);
      RC_ASSERT(again == Bytes(input.begin(), input.begin() + static_cast<long>(n)));
      Schedule clamped = s;
      clamp_schedule(clamped);
      RC_ASSERT(clamped == s);
      if (max < 4096) continue;  // what had to shrink may have lost a site that an element names
      for (const Element& e : s.elements) {
        if (!kind_info(e.kind).has(kPlain) || s.visible_plain.size() >= kMaxVisiblePlain) continue;
        RC_ASSERT(std::count(s.visible_plain.begin(), s.visible_plain.end(), e.site) == 1);
      }
    }
  }));
}

TEST(Mutator, ShrinkReachesTheLimit) {
  ASSERT_TRUE(rc::check("shrink", [](uint32_t seed) {
    std::mt19937 rng(seed);
    Mutator m;
    Parent p = random_parent(rng);
    learn(m, p, {});
    Bytes input = random_schedule(m, rng);
    const size_t smallest = encode_schedule(Schedule{}).size();
    size_t size = input.size();
    while (size > 1) {
      const size_t n = m.mutate(input.data(), size, size - 1, rng());
      RC_ASSERT(n > 0u);
      RC_ASSERT(n < size);
      Schedule s;
      RC_ASSERT(decode_schedule({input.data(), n}, s) || size - 1 < smallest);
      size = n;
    }
  }));
}

TEST(Mutator, CrossOverDecodesAndFits) {
  ASSERT_TRUE(rc::check("cross over", [](uint32_t seed) {
    std::mt19937 rng(seed);
    Mutator m;
    Parent p = random_parent(rng);
    learn(m, p, {});
    const Bytes a = rng() % 4 ? random_schedule(m, rng) : random_bytes(rng);
    const Bytes b = rng() % 4 ? random_schedule(m, rng) : random_bytes(rng);
    Bytes out(1 + rng() % 2000);
    const size_t n = m.cross_over(a.data(), a.size(), b.data(), b.size(), out.data(), out.size(), rng());
    RC_ASSERT(n > 0u);
    RC_ASSERT(n <= out.size());
    Schedule s;
    if (out.size() > 200) RC_ASSERT(decode_schedule({out.data(), n}, s));
  }));
}

TEST(Mutator, IsAFunctionOfWhatItLearnedAndTheSeed) {
  const auto run = [](uint32_t last_seed) {
    std::mt19937 rng(7);
    Mutator m;
    Parent p = random_parent(rng);
    learn(m, p, {});
    Bytes data = random_schedule(m, rng);
    const size_t size = data.size();
    data.resize(4096);
    data.resize(m.mutate(data.data(), size, 4096, last_seed));
    return data;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(Mutator, ForeignBytesBecomeThePayloadOfASchedule) {
  const Bytes seed{'h', 'e', 'l', 'l', 'o'};
  uint32_t untouched = 0;
  Mutator m;
  for (uint32_t i = 0; i < 100; ++i) {
    Bytes data = seed;
    data.resize(4096);
    const size_t n = m.mutate(data.data(), seed.size(), data.size(), i);
    Schedule s;
    ASSERT_TRUE(decode_schedule({data.data(), n}, s));
    EXPECT_NE(s.seed, 0u);
    untouched += s.payload == seed;
  }
  EXPECT_GT(untouched, 20u);
  EXPECT_LT(untouched, 100u);
}

TEST(Mutator, ChildrenKeepTheParentsSeedOnlySometimes) {
  std::mt19937 rng(3);
  Mutator m;
  Parent p;
  p.add(1, 1, Kind::mutex_lock, 1);
  p.add(1, 2, Kind::mutex_unlock, 1);
  p.add(2, 1, Kind::mutex_lock, 1);
  p.add(2, 2, Kind::mutex_unlock, 1);
  Schedule s;
  s.seed = 42;
  const Bytes input = encode_schedule(s);
  learn(m, p, input);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < 400; ++i) {
    Bytes data = input;
    data.resize(4096);
    Schedule child;
    ASSERT_TRUE(decode_schedule({data.data(), m.mutate(data.data(), input.size(), 4096, i)}, child));
    kept += child.seed == 42;
  }
  EXPECT_GT(kept, 20u);
  EXPECT_LT(kept, 250u);
}

TEST(Mutator, AfterRacesAllMutantsSwitchThere) {
  Mutator m;
  Parent p;
  p.races = {{21, 31, 1, 1, 0, {}, {}}, {22, 32, 2, 1, 0, {}, {}}};
  learn(m, p, {});
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < 200; ++i) {
    Bytes data(4096);
    Schedule s;
    ASSERT_TRUE(decode_schedule({data.data(), m.mutate(data.data(), 0, 4096, i)}, s));
    const auto has = [&](SiteId id) { return std::count(s.visible_plain.begin(), s.visible_plain.end(), id) != 0; };
    pairs += (has(21) && has(31)) || (has(22) && has(32));
  }
  EXPECT_GT(pairs, 150u);
}

// Acceptance test 14.
// libFuzzer crosses every second child, and data have their share of those; afl-fuzz need not cross any.
TEST(Mutator, DataOfOtherRunsComeToAParentOfOneThread) {
  Mutator m;
  Schedule s;
  s.payload = {'Q', '1'};
  const Bytes other = encode_schedule(s);
  s.payload = {'a'};
  const Bytes input = encode_schedule(s);
  for (const Bytes* run : {&other, &input}) {
    Parent p;
    p.add(0, 1, Kind::yield, 0);
    p.flags = kRunPayloadRead | (run == &other ? kRunNovel : 0u);
    learn(m, p, *run);
  }
  int with_both = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Bytes data(512);
    std::copy(input.begin(), input.end(), data.begin());
    data.resize(m.mutate(data.data(), input.size(), data.size(), seed));
    Schedule child;
    ASSERT_TRUE(decode_schedule(data, child));
    const auto at = std::search(child.payload.begin(), child.payload.end(), std::begin("Q1"), std::begin("Q1") + 2);
    with_both += at != child.payload.end();
  }
  EXPECT_GT(with_both, 20);
}

TEST(Energy, HalfTheScoreIsHalfTheChildren) {
  EXPECT_EQ(children_for(50, 100, 10), 5u);
  EXPECT_EQ(children_for(100, 100, 10), 10u);
  EXPECT_EQ(children_for(1, 100, 10), 1u);
  EXPECT_EQ(children_for(0, 100, 10), 0u);
}

TEST(Store, PinsNovelRunsWithinTheLimit) {
  RunStore store(64 * 1024);
  Parent p;
  for (int i = 0; i < 100; ++i) p.add(1, 1, Kind::mutex_lock, 1);
  for (uint64_t h = 1; h <= 100; ++h) {
    p.hash = h;
    p.flags = kRunNovel;
    store.add(p.summary());
    p.hash = 1000 + h;
    p.flags = 0;
    store.add(p.summary());
  }
  EXPECT_LE(store.bytes(), 64u * 1024);
  EXPECT_GT(store.pinned(), 2u);
  EXPECT_NE(store.find(100), nullptr);
  EXPECT_EQ(store.find(1), nullptr);
  EXPECT_NE(store.find(1100), nullptr);  // the last run, novel or not
  EXPECT_EQ(store.find(1001), nullptr);
}

// No assertion: prints what a call costs for a parent of 25 events.
TEST(Speed, Report) {
  std::mt19937 rng(1);
  Parent p;
  for (uint32_t i = 0; i < 25; ++i) {
    p.add(i % 3, 1 + i % 7, i % 2 ? Kind::mutex_unlock : Kind::mutex_lock, 1 + i / 2 % 2);
  }
  constexpr int kRounds = 20000;
  // Processor time of a campaign's calls: whether it also mutates, and whether the parent is a fresh run or
  // a pinned one whose relations are kept.
  const auto cost = [&](bool learns, bool mutates) {
    Mutator m;
    Bytes data(4096);
    size_t size = 0;
    p.flags = kRunNovel;
    p.hash = hash_input({data.data(), size});
    m.learn(p.summary(), {});
    const std::clock_t start = std::clock();
    for (int i = 0; i < kRounds; ++i) {
      p.flags = i % 1000 ? 0u : kRunNovel;
      p.hash = hash_input({data.data(), size});
      if (learns) m.learn(p.summary(), {data.data(), size});
      if (i % 5 == 0 || !learns) size = 0;
      if (mutates) size = m.mutate(data.data(), size, 4096, static_cast<uint32_t>(i));
    }
    return 1e9 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - start) / kRounds;
  };
  std::printf("learn %.0f ns, learn and mutate %.0f ns, mutate a pinned parent %.0f ns\n", cost(true, false),
              cost(true, true), cost(false, true));
}

}  // namespace
}  // namespace heddle::mutator
