// GoPie, GoPie+ and GoPieHB as modes: which children they ask for, and what they make of what those did.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "modes_order_runs.h"
#include "mutator/modes/order_child.h"
#include "mutator/modes/order_cut.h"
#include "mutator/modes/order_mode.h"
#include "mutator/modes/order_start.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

struct Session {
  OrderMode mode;
  Rng rng{7};
  Schedule recorded;  // what the first run ran

  explicit Session(const OrderRules& rules) : mode(rules, Options()) { recorded.seed = 41; }
  void learn(const OrderRun& run, const Schedule& schedule, bool own) {
    KnownRun known;
    known.assign(run.whole());
    mode.learn(known, schedule, own);
  }
  Schedule next() { return mode.next({}, rng); }
  std::vector<Schedule> children(uint32_t n) {
    std::vector<Schedule> out;
    for (uint32_t i = 0; i < n; ++i) out.push_back(next());
    return out;
  }
};

Chain chain_of(const Schedule& s) { return get_chain(s, s.elements.empty() ? 0 : s.elements.back().chain); }

bool asks_for(const std::vector<Schedule>& children, const Chain& chain) {
  return std::any_of(children.begin(), children.end(), [&](const Schedule& s) { return same(chain_of(s), chain); });
}

// Two threads that store and load one atomic, and lock: store, load, then the locks.
struct StoreLoad : OrderRun {
  StoreLoad() {
    add(1, 10, Kind::atomic_store, 1);
    add(1, 11, Kind::mutex_lock, 2);
    add(1, 12, Kind::mutex_unlock, 2);
    add(2, 20, Kind::atomic_load, 1).partner = 0;
    add(2, 21, Kind::mutex_lock, 2);
    add(2, 22, Kind::mutex_unlock, 2);
  }
};

// The reversal of a store and a load.
TEST(OrderMode, OnlyThePlusModesReverseAtomics) {
  const Chain reversed{op(2, 20, Kind::atomic_load), op(1, 10, Kind::atomic_store)};
  for (const OrderRules* rules : {&kGoPie, &kGoPiePlus, &kGoPieHb}) {
    Session s(*rules);
    s.learn(StoreLoad(), s.recorded, false);
    const auto children = s.children(200);
    EXPECT_EQ(asks_for(children, reversed), rules != &kGoPie);
    for (const Schedule& c : children) {
      for (const Element& e : c.elements) {
        if (rules == &kGoPie) EXPECT_FALSE(kind_info(e.kind).has(kAtomic));
      }
    }
  }
}

TEST(OrderMode, HappensBeforeBeginsWithTheSpecialChains) {
  Session s(kGoPieHb);
  s.learn(StoreLoad(), s.recorded, false);
  const Schedule first = s.next();
  EXPECT_TRUE(same(chain_of(first), {op(2, 20, Kind::atomic_load), op(1, 10, Kind::atomic_store)}));
  EXPECT_EQ(first.seed, s.recorded.seed);
}

TEST(OrderMode, CloseComesBeforeSend) {
  OrderRun run;
  run.channel(1, 1);
  run.channel(2, 1);
  run.add(1, 10, Kind::channel_send, 1);
  run.add(1, 11, Kind::channel_send, 2);
  run.add(2, 20, Kind::channel_close, 1);
  // Another channel's send is none of its business.
  EXPECT_EQ(special_chains(run.source(kGoPieHb)), (std::vector<EventChain>{{run.at(2, 20), run.at(1, 10)}}));
}

TEST(OrderMode, DoneComesBeforeAdd) {
  OrderRun run;
  run.add(1, 10, Kind::wait_group_add, 1).value = 1;
  run.add(2, 20, Kind::wait_group_add, 1).value = 2;
  run.add(1, 11, Kind::wait_group_add, 1).value = 1;
  Session s(kGoPieHb);
  s.learn(run, s.recorded, false);
  EXPECT_TRUE(same(chain_of(s.next()), {op(1, 11, Kind::wait_group_add), op(2, 20, Kind::wait_group_add)}));
}

TEST(OrderMode, ReplayKeepsTheSeedOfTheRunAndGoPieDoesNot) {
  for (const OrderRules* rules : {&kGoPie, &kGoPiePlus}) {
    Session s(*rules);
    s.recorded.payload = {1, 2, 3};
    s.learn(TwoSections(), s.recorded, false);
    uint32_t kept = 0;
    for (const Schedule& c : s.children(20)) {
      EXPECT_EQ(c.payload, s.recorded.payload);
      kept += c.seed == s.recorded.seed;
    }
    if (rules == &kGoPie) EXPECT_EQ(kept, 0u);
    if (rules == &kGoPiePlus) EXPECT_GE(kept, 4u);
  }
}

TEST(OrderMode, AChainInTheOrderOfTheRunGetsAFreshSeed) {
  Session s(kGoPiePlus);
  s.learn(TwoSections(), s.recorded, false);
  uint32_t in_order = 0;
  for (const Schedule& c : s.children(40)) {
    if (!same(chain_of(c), {op(1, 12, Kind::mutex_unlock), op(2, 21, Kind::mutex_lock)})) continue;
    ++in_order;
    EXPECT_NE(c.seed, s.recorded.seed);
  }
  EXPECT_GT(in_order, 0u);
}

TEST(OrderMode, OneElementAloneIsRunByGoPieOnly) {
  for (const OrderRules* rules : {&kGoPie, &kGoPiePlus, &kGoPieHb}) {
    Session s(*rules);
    s.learn(TwoSections(), s.recorded, false);
    const auto children = s.children(100);
    const bool alone = std::any_of(children.begin(), children.end(), [](const Schedule& c) { return c.elements.size() == 1; });
    EXPECT_EQ(alone, rules == &kGoPie);
  }
}

TEST(OrderMode, AChainIsRunThreeTimesAndTenWhenItWasProductive) {
  for (const bool productive : {false, true}) {
    Session s(kGoPiePlus);
    OrderRun run;
    run.add(1, 10, Kind::mutex_lock, 1);
    run.add(2, 20, Kind::mutex_lock, 1);
    s.learn(run, s.recorded, false);
    std::map<uint64_t, uint32_t> runs;
    uint64_t favourite = 0;
    run.flags = kRunNovel;
    for (int i = 0; i < 100; ++i) {
      const Schedule c = s.next();
      const uint64_t key = chain_key(c);
      if (key == 0) {  // nothing left: the same again under another seed
        s.learn(run, c, true);
        continue;
      }
      ++runs[key];
      if (favourite == 0) favourite = key;
      if (!productive || key != favourite || runs[key] > 1) continue;
      OrderRun covered = run;
      covered.chains.push_back({2, 2});
      s.learn(covered, c, true);
    }
    // One more than allowed, now and then: counts fade.
    for (const auto& [key, n] : runs) {
      const uint32_t allowed = productive && key == favourite ? 10 : 3;
      EXPECT_GE(n, allowed);
      EXPECT_LE(n, allowed + 1);
    }
  }
}

TEST(OrderMode, OccurrencesAreToldApartInBuckets) {
  const auto key = [](uint32_t occurrence) {
    Schedule s;
    put_chain(s, 0, {op(1, 10, Kind::mutex_lock, occurrence), op(2, 20, Kind::mutex_lock)});
    return chain_key(s);
  };
  EXPECT_NE(key(1), key(2));
  EXPECT_NE(key(2), key(3));
  EXPECT_EQ(key(3), key(4));
  EXPECT_NE(key(4), key(5));
  EXPECT_EQ(key(5), key(8));
  Schedule s;
  put_chain(s, 0, {op(1, 10, Kind::select, 1), op(2, 20, Kind::mutex_lock)});
  const uint64_t plain = chain_key(s);
  s.selects.push_back({Parent::id(1), 10, 1, 1, Kind::select, {}});
  EXPECT_NE(chain_key(s), plain);
}

// GoPie goes on with what was covered, and with nothing else.
TEST(OrderMode, GoPieMutatesTheCoveredPart) {
  const OrderRun run = TwoSections();
  for (const uint32_t realised : {0u, 1u, 3u}) {
    Session s(kGoPie);
    Schedule c;
    put_chain(c, 0, {op(2, 21, Kind::mutex_lock), op(1, 11, Kind::mutex_lock), op(2, 22, Kind::mutex_unlock)});
    OrderRun child = run;
    child.chains.push_back({3, realised});
    s.learn(child, c, true);
    const Schedule next = s.next();
    const Chain whole = get_chain(c, 0);
    EXPECT_TRUE(same(chain_of(next), Chain(whole.begin(), whole.begin() + realised))) << realised;
  }
}

TEST(OrderMode, EachRunGivesPlusNewChains) {
  Session s(kGoPiePlus);
  Schedule c;
  put_chain(c, 0, {op(1, 10, Kind::mutex_lock), op(2, 20, Kind::mutex_lock)});
  OrderRun run;  // it went elsewhere
  run.add(1, 30, Kind::mutex_lock, 1);
  run.add(2, 40, Kind::mutex_lock, 1);
  run.chains.push_back({2, 1});
  s.learn(run, c, true);
  EXPECT_TRUE(asks_for(s.children(4), {op(2, 40, Kind::mutex_lock), op(1, 30, Kind::mutex_lock)}));
}

TEST(OrderMode, WhatChainsDidBeforeTheCutIsDoneAgain) {
  OrderRun run;
  run.add(2, 20, Kind::atomic_load, 1);
  run.add(1, 10, Kind::atomic_store, 1);
  run.add(2, 25, Kind::atomic_load, 1);
  run.add(1, 11, Kind::atomic_store, 1);
  run.add(2, 21, Kind::atomic_load, 1);
  run.add(2, 22, Kind::atomic_load, 1);
  Schedule before;
  before.seed = 9;
  before.selects.push_back({kAnyThread, 22, 0, 1, Kind::select, {}});
  // It came true, but its end is behind the cut; it waited for something that never came, and held 25 meanwhile; it came true.
  put_chain(before, 0, {op(2, 20, Kind::atomic_load), op(1, 10, Kind::atomic_store), op(2, 22, Kind::atomic_load)});
  put_chain(before, 1, {op(1, 77, Kind::atomic_store), op(2, 25, Kind::atomic_load), op(1, 78, Kind::atomic_store)});
  put_chain(before, 2, {op(1, 10, Kind::atomic_store), op(2, 25, Kind::atomic_load)});
  run.chains = {{3, 3}, {3, 0}, {2, 2}};
  run.events[run.at(2, 25)].flags = kEventReleased;
  const OrderSource source = run.source(kGoPiePlus, before);
  const EventChain chain{run.at(2, 21), run.at(1, 11)};
  Rng rng(1);
  const Schedule s = child_schedule(source, {chain}, true, rng);
  EXPECT_EQ(s.seed, 9u);
  EXPECT_TRUE(same(get_chain(s, 0), {op(2, 20, Kind::atomic_load), op(1, 10, Kind::atomic_store),
                                     op(2, 25, Kind::atomic_load)}));
  EXPECT_TRUE(same(get_chain(s, 1), {op(2, 21, Kind::atomic_load), op(1, 11, Kind::atomic_store)}));
  // 25 was held until nothing else could go.
  ASSERT_EQ(s.delays.size(), 1u);
  EXPECT_TRUE(same_op(s.delays[0].what, op(2, 25, Kind::atomic_load)));
  EXPECT_EQ(s.delays[0].until.site, kNoSite);
  EXPECT_TRUE(s.selects.empty());
  EXPECT_EQ(chain_key(s), chain_key(source, {chain}));
  const Schedule fresh = child_schedule(source, {chain}, false, rng);
  EXPECT_NE(fresh.seed, 9u);
  EXPECT_EQ(fresh.elements.size(), 2u);
}

// Thread 1 came to its operation first, and waited for thread 2.
TEST(OrderMode, WhatWaitedBeforeTheCutWaitsAgain) {
  const Element receive = op(1, 10, Kind::channel_receive), send = op(2, 20, Kind::channel_send);
  for (const bool ends_before_cut : {true, false}) {
    OrderRun run;
    run.add(2, 20, Kind::channel_send, 1);
    if (ends_before_cut) run.add(1, 10, Kind::channel_receive, 1).req = 0;
    run.add(3, 30, Kind::mutex_lock, 2);
    run.add(2, 21, Kind::mutex_lock, 2);
    if (!ends_before_cut) run.add(1, 10, Kind::channel_receive, 1).req = 0;
    Schedule before;
    put_chain(before, 0, {receive, send});
    run.chains = {{2, 2}};
    const OrderSource source = run.source(kGoPiePlus, before);
    const auto child = [&](const EventChain& chain) {
      Rng rng(1);
      return child_schedule(source, {chain}, true, rng);
    };
    const Schedule s = child({run.at(2, 21), run.at(3, 30)});
    EXPECT_TRUE(same(get_chain(s, 0), {receive, send}));
    EXPECT_TRUE(s.delays.empty());
    // With one of its elements, the new chain is not against it. With two it could be.
    EXPECT_TRUE(same(get_chain(child({run.at(2, 20), run.at(2, 21), run.at(3, 30)}), 0), {receive, send}));
    if (!ends_before_cut) continue;
    EXPECT_TRUE(same(get_chain(child({run.at(2, 20), run.at(1, 10), run.at(2, 21), run.at(3, 30)}), 0),
                     {send, receive, op(2, 21, Kind::mutex_lock), op(3, 30, Kind::mutex_lock)}));
  }
}

// An unfinished operation in a chain (docs/design/happens-before.md#unfinished-operations): two send, one is received.
TEST(OrderMode, ABlockedSendIsAnElement) {
  OrderRun run;
  run.channel(1, 0);
  run.add(2, 20, Kind::channel_send, 1);
  run.add(3, 30, Kind::channel_receive, 1).partner = 0;
  run.blocked(1, 10, Kind::channel_send, 1);
  const Chain formerly_blocked_first{op(1, 10, Kind::channel_send), op(2, 20, Kind::channel_send)};
  for (const OrderRules* rules : {&kGoPie, &kGoPiePlus}) {
    Session s(*rules);
    s.learn(run, s.recorded, false);
    EXPECT_EQ(asks_for(s.children(100), formerly_blocked_first), rules != &kGoPie);
  }
}

TEST(OrderMode, OneVariantForEachOtherCase) {
  OrderRun run;
  for (uint32_t c : {1u, 2u, 3u}) run.channel(c, 1);
  run.add(1, 10, Kind::channel_send, 1);
  run.add(2, 20, Kind::select, 1).choice = 0;
  run.events[1].partner = 0;
  run.add(3, 30, Kind::channel_send, 2);
  for (uint32_t c : {0u, 1u, 2u}) run.cases.push_back({1, c + 1, static_cast<uint16_t>(c), 0, c == 0});
  run.cases.push_back({1, 0, kDefaultCase, static_cast<uint8_t>(CaseDirection::otherwise), 0});
  const OrderSource s = run.source(kGoPiePlus);
  std::vector<OrderChild> variants;
  add_select_variants(s, {2, 1}, variants);
  ASSERT_EQ(variants.size(), 3u);
  Rng rng(1);
  for (uint32_t i = 0; i < 3; ++i) {
    const Schedule c = child_schedule(s, variants[i], true, rng);
    ASSERT_EQ(c.selects.size(), 1u);
    EXPECT_EQ(c.selects[0], (SelectPreference{Parent::id(2), 20, 1, i == 2 ? -1 : static_cast<int32_t>(i) + 1, Kind::select, {}}));
  }
  EXPECT_EQ(run.events[1].choice, 0u);  // the record stays what it was
  // The run is not repeated beyond the select, though the chain is in its order.
  const OrderChild in_order{{1, 2}, 1, 1};
  EXPECT_EQ(cut_time(s, in_order.chain), kNone);
  EXPECT_EQ(cut_time(s, in_order), s.event(1).req);
  // The partner is in the chain: this case is what the chain is about.
  variants.clear();
  add_select_variants(s, {0, 1}, variants);
  EXPECT_TRUE(variants.empty());
  // A select is related to what happens on the channels it did not choose.
  EXPECT_EQ(s.related(2, 9, rng), std::vector<uint32_t>{1});
}

TEST(OrderMode, ARunAtTheStepBoundHasNoChildren) {
  Session s(kGoPiePlus);
  OrderRun run = TwoSections();
  run.flags = kRunNovel | kRunStepBound;
  s.learn(run, s.recorded, false);
  EXPECT_TRUE(s.next().elements.empty());
}

// The engine runs the empty input, then a line feed: one recorded run, told twice.
TEST(OrderMode, TheRecordedRunIsTakenOnce) {
  Session once(kGoPiePlus), twice(kGoPiePlus);
  once.learn(TwoSections(), once.recorded, false);
  twice.learn(TwoSections(), once.recorded, false);
  Schedule line_feed = once.recorded;
  line_feed.payload = {'\n'};
  twice.learn(TwoSections(), line_feed, false);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(once.next(), twice.next()) << i;
}

TEST(MutatorMode, IsAskedInsteadOfTheMoves) {
  Mutator m;
  EXPECT_FALSE(m.set_mode("gopie++"));
  EXPECT_TRUE(m.set_mode("gopie-plus"));
  OrderRun run = StoreLoad();
  const std::vector<uint8_t> input = encode_schedule({});
  run.hash = hash_input(input);
  m.learn(run.whole(), input);
  uint8_t data[4096];
  for (uint32_t i = 0; i < 30; ++i) {
    std::copy(input.begin(), input.end(), data);
    const size_t n = i % 2 ? m.mutate(data, input.size(), sizeof data, i)
                           : m.cross_over(input.data(), input.size(), input.data(), input.size(), data, sizeof data, i);
    EXPECT_EQ(m.last_operators(), "gopie-plus");
    Schedule s;
    ASSERT_TRUE(decode_schedule({data, n}, s));
    EXPECT_GE(s.elements.size() + (i > 10 ? 2 : 0), 2u);
  }
  EXPECT_TRUE(m.set_mode("mixed"));
  std::copy(input.begin(), input.end(), data);
  m.mutate(data, input.size(), sizeof data, 1);
  EXPECT_NE(m.last_operators(), "gopie-plus");
}

TEST(MutatorMode, ItsChildrenAreItsOwnOnce) {
  // What is its own and covered nothing is dropped; what is not its own is a starting point like any other.
  Mutator m;
  ASSERT_TRUE(m.set_mode("gopie"));
  OrderRun run = TwoSections();
  std::vector<uint8_t> input = encode_schedule({});
  run.hash = hash_input(input);
  m.learn(run.whole(), input);
  uint8_t data[4096];
  const auto next = [&](uint32_t seed) {
    std::copy(input.begin(), input.end(), data);
    Schedule s;
    decode_schedule({data, m.mutate(data, input.size(), sizeof data, seed)}, s);
    return s;
  };
  const Schedule child = next(1);
  ASSERT_FALSE(child.elements.empty());
  OrderRun uncovered;  // other lines, so that children of it can be told
  uncovered.add(1, 71, Kind::mutex_lock, 1);
  uncovered.add(2, 81, Kind::mutex_lock, 1);
  uncovered.chains.push_back({2, 0});
  const std::vector<uint8_t> child_bytes = encode_schedule(child);
  uncovered.hash = hash_input(child_bytes);
  m.learn(uncovered.whole(), child_bytes);
  EXPECT_LT(chain_of(next(2)).front().site, 71u);
  m.learn(uncovered.whole(), child_bytes);  // the engine again, on its own account
  EXPECT_GE(chain_of(next(3)).front().site, 71u);
}

}  // namespace
}  // namespace heddle::mutator
