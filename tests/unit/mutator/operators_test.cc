// Each move on a parent run: the chain before, the chain after.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

constexpr Kind kLock = Kind::mutex_lock, kUnlock = Kind::mutex_unlock;

// The mixed deadlock of docs/design/gopie.md#a-worked-example: thread 1 receives on c, then locks m; threads 2 and 3 send on c inside m.
Parent kubernetes() {
  Parent p;
  for (uint32_t sender : {2u, 3u}) {
    p.add(sender, 17, kLock, 1);
    p.add(sender, 18, Kind::channel_send, 2);
    p.add(1, 10, Kind::channel_receive, 2);
    p.add(sender, 19, kUnlock, 1);
    p.add(1, 11, kLock, 1);
    p.add(1, 12, kUnlock, 1);
  }
  return p;
}

TEST(Kubernetes, EveryStepOfTheDerivationIsAResultOfItsMove) {
  Lab lab(kubernetes());
  const Element g1_11 = op(1, 11, kLock), g1_12 = op(1, 12, kUnlock), g3_17 = op(3, 17, kLock);
  const Element g2_18 = op(2, 18, Kind::channel_send), g2_19 = op(2, 19, kUnlock);
  EXPECT_TRUE(lab.derives({}, start_chain, {g2_19, g1_11}));
  EXPECT_TRUE(lab.derives({g2_19, g1_11}, substitute, {g2_18, g1_11}));
  EXPECT_TRUE(lab.derives({g2_18, g1_11}, substitute, {g2_18, g1_12}));
  EXPECT_TRUE(lab.derives({g2_18, g1_12}, augment, {g2_18, g1_12, g3_17}));
  EXPECT_TRUE(lab.derives({g2_18, g1_12, g3_17}, flip, {g2_18, g3_17, g1_12}));
  EXPECT_TRUE(lab.derives({g2_18, g3_17, g1_12}, substitute, {g2_18, g3_17, g1_11}));
  EXPECT_TRUE(lab.untouched);
}

TEST(Abridge, DropsOneEndOrAPairAsAWhole) {
  Lab lab(kubernetes());
  const Element a = op(2, 17, kLock), b = op(1, 11, kLock), c = op(3, 17, kLock);
  EXPECT_TRUE(lab.derives({a, b, c}, abridge, {b, c}));
  EXPECT_TRUE(lab.derives({a, b, c}, abridge, {a, b}));
  EXPECT_FALSE(lab.derives({a, b, c}, abridge, {a, c}));
  Schedule pair;
  put_chain(pair, 0, {a, b});
  for (const Schedule& s : lab.results(pair, abridge)) EXPECT_TRUE(s.elements.empty());
}

TEST(Flip, KeepsProgramOrder) {
  Lab lab(kubernetes());
  const Element a = op(2, 17, kLock), b = op(1, 11, kLock), c = op(2, 19, kUnlock);
  EXPECT_TRUE(lab.derives({a, b, c}, flip, {b, a, c}));
  EXPECT_TRUE(lab.derives({a, b, c}, flip, {a, c, b}));
  EXPECT_FALSE(lab.derives({a, c}, flip, {c, a}));
}

// Acceptance test 13.
TEST(Validity, AForwardChainOfFourIsAccepted) {
  Lab lab(kubernetes());
  const Chain chain{op(2, 17, kLock), op(1, 10, Kind::channel_receive), op(2, 19, kUnlock), op(1, 11, kLock)};
  EXPECT_TRUE(valid_chain(&lab.run.relations(), chain));
  Chain backwards = chain;
  std::swap(backwards[0], backwards[2]);  // not neighbours, and still against the program
  EXPECT_FALSE(valid_chain(&lab.run.relations(), backwards));
}

TEST(Validity, CriticalSectionsMayBeReversedButNotCreationAndJoin) {
  Parent p;
  p.add(0, 1, Kind::thread_create, 5);
  p.add(1, 2, kLock, 1);
  p.add(1, 3, kUnlock, 1);
  p.add(1, 4, Kind::thread_exit, 5);
  p.add(2, 5, kLock, 1);
  p.add(2, 6, kUnlock, 1);
  p.add(0, 7, Kind::thread_join, 5);
  p.add(0, 8, kLock, 1);
  p.threads[1].create_event = 0;
  Lab lab(p);
  const Relations& r = lab.run.relations();
  EXPECT_TRUE(valid_chain(&r, {op(2, 5, kLock), op(1, 3, kUnlock)}));
  EXPECT_FALSE(valid_chain(&r, {op(0, 8, kLock), op(1, 2, kLock)}));
  EXPECT_FALSE(valid_chain(&r, {op(1, 2, kLock), op(0, 1, Kind::thread_create)}));
}

TEST(Substitute, TakesNeighboursOnly) {
  Lab lab(kubernetes());
  const Element a = op(2, 18, Kind::channel_send), b = op(1, 11, kLock);
  EXPECT_TRUE(lab.derives({a, b}, substitute, {op(2, 17, kLock), b}));
  EXPECT_TRUE(lab.derives({a, b}, substitute, {op(2, 19, kUnlock), b}));
  EXPECT_FALSE(lab.derives({op(2, 17, kLock), b}, substitute, {op(2, 19, kUnlock), b}));
}

TEST(Augment, GrowsFromThePresentTailUpToTheBound) {
  Lab lab(kubernetes());
  Schedule s;
  put_chain(s, 0, {op(2, 17, kLock), op(1, 11, kLock)});
  Rng rng(1);
  for (int i = 0; i < 400; ++i) {
    Context c{s, &lab.run.relations(), {}, rng, lab.seen, lab.options, nullptr, 0};
    augment(c);
  }
  const Chain chain = get_chain(s, 0);
  EXPECT_GT(chain.size(), 3u);
  EXPECT_LE(chain.size(), lab.options.max_chain);
  for (size_t i = 1; i < chain.size(); ++i) EXPECT_NE(chain[i - 1].thread, chain[i].thread);
}

TEST(StartChain, TakesOperationsThatNeverFinished) {
  Parent p;
  p.add(1, 1, Kind::channel_send, 2);
  p.blocked(2, 2, Kind::channel_send, 2);
  Lab lab(p);
  const Element a = op(1, 1, Kind::channel_send), b = op(2, 2, Kind::channel_send);
  EXPECT_TRUE(lab.derives({}, start_chain, {b, a}));
}

TEST(StartChain, CrossesLockOrderCycles) {
  for (uint32_t threads : {2u, 3u}) {
    Parent p;
    Chain wanted;
    for (uint32_t t = 1; t <= threads; ++t) {  // one after the other: no deadlock in the parent
      p.add(t, 10 * t, kLock, t);
      p.add(t, 10 * t + 1, kLock, t % threads + 1);
      p.add(t, 10 * t + 2, kUnlock, t % threads + 1);
      p.add(t, 10 * t + 3, kUnlock, t);
    }
    for (uint32_t t = 1; t <= threads; ++t) wanted.push_back(op(t, 10 * t, kLock));
    for (uint32_t t = 1; t <= threads; ++t) wanted.push_back(op(t, 10 * t + 1, kLock));
    Lab lab(p);
    EXPECT_TRUE(lab.derives({}, start_chain, wanted)) << threads;
  }
}

TEST(StartChain, SpecialPairsMostlyInTheOrderOfTheBug) {
  struct Case {
    Kind first, second;
    Outcome outcome;
  };
  for (Case k : {Case{Kind::cond_signal, Kind::cond_wait, Outcome::none},
                 Case{Kind::mutex_destroy, Kind::mutex_lock, Outcome::none},
                 Case{Kind::mutex_trylock, Kind::mutex_lock, Outcome::failure}}) {
    Parent p;
    p.add(1, 1, k.second, 1);
    p.add(2, 2, k.first, 1, k.outcome);
    Lab lab(p);
    for (const Schedule& s : lab.results({}, start_chain)) EXPECT_EQ(s.elements[0].site, 2u);
  }
}

// Setter: a (21), b (22); checker: a (31), b (32). Sites are plain accesses.
Parent setter_and_checker() {
  Parent p;
  p.add(1, 21, Kind::plain_write, 1);
  p.add(1, 22, Kind::plain_write, 2);
  p.add(2, 31, Kind::plain_read, 1);
  p.add(2, 32, Kind::plain_read, 2);
  p.races = {{21, 31, 1, 1, 0, {}, {}}, {22, 32, 2, 1, 0, {}, {}}};
  return p;
}

TEST(Interleave, PutsOneThreadBetweenTwoStepsOfAnother) {
  Lab lab(setter_and_checker());
  const Chain open{any(21, Kind::plain_write), any(31, Kind::plain_read), any(32, Kind::plain_read),
                   any(22, Kind::plain_write)};
  EXPECT_TRUE(lab.derives({}, interleave, open));
  EXPECT_TRUE(lab.derives({}, interleave, {op(1, 21, Kind::plain_write), op(2, 31, Kind::plain_read),
                                           op(1, 22, Kind::plain_write)}));
}

TEST(OrderConstraint, BothDirectionsOfARace) {
  Lab lab(setter_and_checker());
  const Element w = any(21, Kind::plain_write), r = any(31, Kind::plain_read);
  EXPECT_TRUE(lab.derives({}, order_constraint, {w, r}));
  EXPECT_TRUE(lab.derives({}, order_constraint, {r, w}));
}

TEST(ReadsFrom, InsertsMostlyNegativeOpenPairsAndInitialValues) {
  Lab lab(setter_and_checker());
  uint32_t positive = 0, negative = 0, initial = 0;
  for (const Schedule& s : lab.results({}, rf_insert, 2000)) {
    ASSERT_EQ(s.reads_from.size(), 1u);
    const ReadsFrom& rf = s.reads_from[0];
    EXPECT_EQ(rf.read.thread, kAnyThread);
    EXPECT_EQ(rf.read.occurrence, 0u);
    EXPECT_TRUE(rf.write.site == kNoSite || rf.write.site == rf.read.site - 10);
    (rf.negative ? negative : positive)++;
    initial += rf.write.site == kNoSite;
  }
  EXPECT_GT(positive, 0u);
  EXPECT_GT(initial, 0u);
  EXPECT_GT(negative, 5 * positive);
  EXPECT_LT(negative, 12 * positive);
}

// Thread 1 stores at 10, thread 2 at 20, thread 3 loads at 30 what thread 1 has stored.
Parent two_writers() {
  Parent p;
  p.add(1, 10, Kind::atomic_store, 1);
  p.add(2, 20, Kind::atomic_store, 1);
  p.add(3, 30, Kind::atomic_load, 1).partner = 0;
  return p;
}

TEST(ReadsFrom, NewAsksForAPairThatNoRunHad) {
  Lab lab(two_writers());
  lab.sources.learn(lab.run);
  for (const Schedule& s : lab.results({}, rf_new)) {
    ASSERT_EQ(s.reads_from.size(), 1u);
    EXPECT_TRUE(same_op(s.reads_from[0].read, any(30, Kind::atomic_load)));
    EXPECT_TRUE(same_op(s.reads_from[0].write, any(20, Kind::atomic_store)));
    EXPECT_EQ(s.reads_from[0].negative, 0);
  }
  lab.seen = {};
  EXPECT_FALSE(lab.results({}, rf_new).empty());
  lab.run.events[2].partner = 1;
  lab.sources.learn(lab.run);
  EXPECT_TRUE(lab.results({}, rf_new).empty());
  EXPECT_TRUE(lab.untouched);
}

TEST(ReadsFrom, RareAsksForThePairThatWasDrawn) {
  Lab lab(two_writers());
  EXPECT_TRUE(lab.results({}, rf_rare).empty());
  const SourceBook::Pair pair{any(30, Kind::atomic_load), any(20, Kind::atomic_store), 0};
  lab.rare_source = &pair;
  Schedule s;
  for (const Schedule& r : lab.results(s, rf_rare)) {
    ASSERT_EQ(r.reads_from.size(), 1u);
    EXPECT_EQ(r.reads_from[0], (ReadsFrom{pair.read, pair.write, 0, 0, {}}));
  }
  s.reads_from.push_back({pair.read, pair.write, 0, 0, {}});
  EXPECT_TRUE(lab.results(s, rf_rare).empty());
}

TEST(ReadsFrom, AListGrowsToItsLimitAndHasNoPairTwice) {
  Lab lab(two_writers());
  Schedule s;
  for (SiteId site = 1; site <= kMaxConstraints; ++site) s.reads_from.push_back({any(site, Kind::atomic_load), any(40, Kind::atomic_store), 0, 0, {}});
  const SourceBook::Pair pair{any(30, Kind::atomic_load), any(20, Kind::atomic_store), 0};
  lab.rare_source = &pair;
  const auto results = lab.results(s, rf_rare);
  EXPECT_EQ(results.size(), 300u);
  for (const Schedule& r : results) EXPECT_EQ(r.reads_from.size(), kMaxConstraints);
}

TEST(ReadsFrom, NegateAndRemove) {
  Lab lab(setter_and_checker());
  Schedule s;
  s.reads_from.push_back({any(31, Kind::plain_read), any(21, Kind::plain_write), 1, 0, {}});
  for (const Schedule& r : lab.results(s, rf_negate, 3)) EXPECT_EQ(r.reads_from[0].negative, 0);
  for (const Schedule& r : lab.results(s, rf_remove, 3)) EXPECT_TRUE(r.reads_from.empty());
}

TEST(Generalise, OpensThreadsAndMakeExactClosesThem) {
  Lab lab(setter_and_checker());
  const Chain exact{op(1, 21, Kind::plain_write), op(2, 31, Kind::plain_read), op(1, 22, Kind::plain_write)};
  Chain open{any(21, Kind::plain_write), any(31, Kind::plain_read), any(22, Kind::plain_write)};
  EXPECT_TRUE(lab.derives(exact, generalise, open));
  EXPECT_TRUE(lab.derives(open, make_exact, exact));
  open[0].thread_var = open[2].thread_var = 1;
  open[1].thread_var = 2;
  EXPECT_TRUE(lab.derives(exact, generalise, open));
}

TEST(VisiblePlain, BothSidesOfAPair) {
  Lab lab(setter_and_checker());
  bool one = false, both = false;
  for (const Schedule& s : lab.results({}, visible_plain_add)) {
    const auto has = [&](SiteId id) {
      return std::find(s.visible_plain.begin(), s.visible_plain.end(), id) != s.visible_plain.end();
    };
    EXPECT_EQ(has(21), has(31));
    EXPECT_EQ(has(22), has(32));
    one |= s.visible_plain.size() == 2;
    both |= s.visible_plain.size() == 4;
  }
  EXPECT_TRUE(one && both);
  Schedule all;
  all.visible_plain = {21, 31, 22, 32};
  EXPECT_TRUE(lab.results(all, visible_plain_add).empty());
  for (const Schedule& s : lab.results(all, visible_plain_remove)) EXPECT_LT(s.visible_plain.size(), 4u);
}

// One side of each race is an atomic operation: it can be ordered by what it is, and need not be made visible.
Parent half_atomic() {
  Parent p = setter_and_checker();
  p.races[0].first_kind = Kind::atomic_store;
  p.races[1].second_kind = Kind::atomic_load;
  return p;
}

TEST(RacesWithAnAtomic, OrderTheOperationThatItIs) {
  Lab lab(half_atomic());
  const Element w = any(21, Kind::atomic_store), r = any(31, Kind::plain_read);
  EXPECT_TRUE(lab.derives({}, order_constraint, {w, r}));
  EXPECT_TRUE(lab.derives({}, order_constraint, {r, w}));
  EXPECT_TRUE(lab.derives({}, order_constraint, {any(22, Kind::plain_write), any(32, Kind::atomic_load)}));
}

TEST(RacesWithAnAtomic, MakeThePlainSideVisible) {
  Lab lab(half_atomic());
  std::set<SiteId> visible;
  for (const Schedule& s : lab.results({}, visible_plain_add)) visible.insert(s.visible_plain.begin(), s.visible_plain.end());
  EXPECT_EQ(visible, (std::set<SiteId>{31, 22}));
}

TEST(RacesWithAnAtomic, AnAtomicDoesNotReadFromAPlainWrite) {
  Lab lab(half_atomic());
  bool from_atomic = false;
  for (const Schedule& s : lab.results({}, rf_insert, 2000)) {
    const ReadsFrom& rf = s.reads_from[0];
    EXPECT_FALSE(rf.read.kind == Kind::atomic_load && rf.write.kind == Kind::plain_write);
    from_atomic |= rf.write.kind == Kind::atomic_store && rf.read.kind == Kind::plain_read;
  }
  EXPECT_TRUE(from_atomic);
}

TEST(SelectFlip, TakesAnotherOutcome) {
  Parent p;
  p.add(1, 1, Kind::cond_wake, 1, Outcome::signalled);
  Lab lab(p);
  const auto results = lab.results({}, select_flip);
  ASSERT_FALSE(results.empty());
  for (const Schedule& s : results) {
    EXPECT_EQ(s.selects[0].site, 1u);
    EXPECT_EQ(s.selects[0].choice, 1);  // spurious
  }
  Parent q;
  q.add(1, 2, Kind::cond_signal, 1).choice = 1;
  q.events.back().value = 3;  // waiters
  Lab signals(q);
  bool first = false, third = false;
  for (const Schedule& s : signals.results({}, select_flip)) {
    EXPECT_NE(s.selects[0].choice, 1);
    first |= s.selects[0].choice == 0;
    third |= s.selects[0].choice == 2;
  }
  EXPECT_TRUE(first && third);
}

TEST(Delay, HoldsTheWinnerUntilTheLoserWent) {
  Parent p;
  p.add(1, 1, Kind::once_begin, 1, Outcome::success);
  p.add(2, 2, Kind::once_begin, 1, Outcome::failure);
  Lab lab(p);
  const auto results = lab.results({}, delay);
  ASSERT_FALSE(results.empty());
  uint32_t paired = 0;
  for (const Schedule& s : results) {
    EXPECT_TRUE(same_op(s.delays[0].what, op(1, 1, Kind::once_begin)));
    paired += same_op(s.delays[0].until, op(2, 2, Kind::once_begin));
  }
  EXPECT_GT(paired, results.size() / 2);
}

TEST(Search, ReseedAndStrategy) {
  Lab lab(setter_and_checker());
  bool seen[kStrategyCount] = {};
  bool site = false;
  for (const Schedule& s : lab.results({}, strategy_change)) {
    seen[static_cast<int>(s.strategy)] = true;
    site |= s.surw_site != 0 && !s.weights.empty();
  }
  EXPECT_EQ(std::count(seen, seen + kStrategyCount, true), kStrategyCount - 4);
  EXPECT_FALSE(seen[static_cast<int>(StrategyId::writes_first)]);
  EXPECT_FALSE(seen[static_cast<int>(StrategyId::turns)]);  // a way of walks
  EXPECT_FALSE(seen[static_cast<int>(StrategyId::places)]);  // as well
  Schedule weak;
  weak.memory_model = MemoryModel::rc11;
  for (const Schedule& s : lab.results(weak, strategy_change)) seen[static_cast<int>(s.strategy)] = true;
  EXPECT_TRUE(seen[static_cast<int>(StrategyId::writes_first)]);
  EXPECT_FALSE(seen[static_cast<int>(StrategyId::nonpreemptive)]);  // a search needs outcomes that it does not have
  EXPECT_TRUE(site);
  const auto seeds = lab.results({}, reseed, 2);
  EXPECT_NE(seeds[0].seed, seeds[1].seed);
}

TEST(DropChain, TakesTheWholeChain) {
  Lab lab(kubernetes());
  EXPECT_TRUE(lab.derives({op(2, 17, kLock), op(1, 11, kLock)}, drop_chain, {}));
}

TEST(KeepRealised, CutsChainsToWhatHappened) {
  Lab lab(kubernetes());
  const Element a = op(2, 18, Kind::channel_send), b = op(1, 12, kUnlock), c = op(3, 17, kLock);
  lab.run.chains = {{3, 2}, {2, 0}, {2, 2}};
  Schedule s;
  put_chain(s, 5, {a, b, c});
  put_chain(s, 1, {a, b});
  put_chain(s, 0, {b, c});
  Rng rng(1);
  Context context{s, &lab.run.relations(), {}, rng, lab.seen, lab.options, nullptr, 0};
  EXPECT_FALSE(keep_realised(context));  // a stand-in's results say nothing about this schedule
  context.own_run = true;
  EXPECT_TRUE(keep_realised(context));
  EXPECT_TRUE(same(get_chain(s, 5), {a, b}));
  EXPECT_TRUE(get_chain(s, 1).empty());
  EXPECT_TRUE(same(get_chain(s, 0), {b, c}));
  EXPECT_FALSE(keep_realised(context));
}

TEST(Payload, GoesThroughTheEnginesMutator) {
  Lab lab(kubernetes());
  lab.bytes = [](uint8_t* data, size_t size, size_t) -> size_t { std::memset(data, 'x', size); return size; };
  Schedule s;
  s.payload = {1, 2, 3};
  for (const Schedule& r : lab.results(s, payload, 5)) EXPECT_EQ(r.payload, (std::vector<uint8_t>{'x', 'x', 'x'}));
  lab.bytes = nullptr;
  for (const Schedule& r : lab.results(s, payload, 50)) EXPECT_NE(r.payload, s.payload);
}

TEST(Payload, ChangesMostlyWhatARunHasRead) {
  Lab lab(kubernetes());
  int read = 0, others = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed);
    Schedule s;
    s.payload.assign(64, 0);
    Context context{s, &lab.run.relations(), {}, rng, lab.seen, lab.options, nullptr, 100};
    context.payload_reads = 1ull << 3 | 1ull << 40;
    if (!payload(context)) continue;
    std::vector<uint8_t> rest = s.payload;
    if (rest.size() == 64) rest[3] = rest[40] = 0;
    ++(rest == std::vector<uint8_t>(64, 0) ? read : others);
  }
  EXPECT_GT(read, 300);
  EXPECT_GT(others, 10);
}

TEST(Splice, MergesChainsAtACommonElement) {
  Lab lab(kubernetes());
  const Element a = op(2, 18, Kind::channel_send), b = op(1, 12, kUnlock), c = op(3, 17, kLock);
  Schedule ours, theirs;
  put_chain(ours, 0, {a, b});
  put_chain(theirs, 0, {b, c});
  Rng rng(1);
  Context context{ours, &lab.run.relations(), {}, rng, lab.seen, lab.options, nullptr, 0};
  splice(context, theirs);
  EXPECT_TRUE(same(get_chain(ours, 0), {a, b, c}));
}

// libFuzzer lends its mutator, which crosses the data with whole inputs of the corpus.
TEST(Payload, TakesNoEncodedSchedule) {
  Lab lab(two_writers());
  lab.bytes = [](uint8_t* data, size_t, size_t max_size) {
    const std::vector<uint8_t> other = encode_schedule(Schedule{});
    const size_t size = std::min(max_size, other.size());
    std::memcpy(data, other.data(), size);
    return size;
  };
  Schedule s;
  s.payload = {'a', 'b', 'c'};
  const auto results = lab.results(s, payload);
  EXPECT_EQ(results.size(), 300u);
  for (const Schedule& r : results) EXPECT_FALSE(holds_schedule(r.payload));
}

}  // namespace
}  // namespace heddle::mutator
