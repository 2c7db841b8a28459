// The states that runs have come to, and the ways back (mutator/knowledge/state_book.h).
#include "mutator/knowledge/state_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "parent.h"

namespace heddle::mutator {
namespace {

// An addition to one number (object 1, at site 1), by each of these threads in turn. Each thread's next operation is another one.
Parent additions(std::initializer_list<uint32_t> threads) {
  Parent p;
  uint32_t number = 0;
  for (const uint32_t t : threads) p.add(t, 1, Kind::atomic_rmw, 1).left = ++number;
  p.objects[1].id = 7;
  return p;
}

void learn(StateBook& book, const Parent& p, const Schedule& schedule = {}) {
  KnownRun run;
  run.assign(p.summary());
  book.learn(run, schedule);
}

TEST(StateBook, AReturnIsTheOperationsUpToAStateWhileAllOthersWait) {
  StateBook book;
  Schedule made_by;
  made_by.seed = 5;
  made_by.elements.push_back(op(1, 1, Kind::atomic_rmw));
  made_by.visible_plain = {40};
  made_by.payload = {'a'};
  const Parent p = additions({1, 2, 1, 0});
  learn(book, p, made_by);
  Rng rng(1);
  std::set<size_t> lengths;
  for (int i = 0; i < 50; ++i) {
    const Schedule s = book.return_to_rare(rng);
    EXPECT_EQ(s.visible_plain, made_by.visible_plain);
    EXPECT_EQ(s.payload, made_by.payload);
    EXPECT_EQ(s.seed, 0u);
    const size_t length = s.elements.size();
    lengths.insert(length);
    // The last operation can be a step of another thread.
    std::set<ThreadId> waiting;
    bool found = false;
    for (size_t e = 0; e < p.events.size(); ++e) {
      const ThreadId thread = Parent::id(p.events[e].thread);
      if (e + 1 < length) EXPECT_EQ(s.elements[e].thread, thread);
      else if (!found && s.elements.back().thread == thread) found = true;
      else waiting.insert(thread);
    }
    EXPECT_TRUE(found);
    // One operation of each thread, the first that is left out.
    ASSERT_EQ(s.delays.size(), waiting.size());
    for (const Delay& d : s.delays) {
      EXPECT_TRUE(waiting.erase(d.what.thread));
      EXPECT_EQ(d.until, s.elements.back());
    }
  }
  EXPECT_EQ(lengths, (std::set<size_t>{1, 2, 3, 4}));
}

TEST(StateBook, WhoHasDoneItDoesNotCount) {
  StateBook book;
  learn(book, additions({1, 2, 1, 2}));
  const size_t states = book.states(), situations = book.situations();
  EXPECT_EQ(states, 4u);
  learn(book, additions({2, 1, 2, 1}));
  learn(book, additions({1, 2, 2, 1}));
  EXPECT_EQ(book.states(), states);
  EXPECT_EQ(book.situations(), situations);
}

TEST(StateBook, WhatAnOperationHasLeftCounts) {
  StateBook book;
  Parent p = additions({1, 2});
  learn(book, p);
  EXPECT_EQ(book.states(), 2u);
  p.events[1].left = 9;
  learn(book, p);
  EXPECT_EQ(book.states(), 3u);
  // A failed compare-and-swap leaves nothing, but it is another position.
  p.add(1, 2, Kind::atomic_cas, 1, Outcome::failure).left = 10;
  learn(book, p);
  EXPECT_EQ(book.states(), 4u);
  p.events[2].left = 11;
  learn(book, p);
  EXPECT_EQ(book.states(), 4u);
}

TEST(StateBook, ALockIsHeldOrNot) {
  StateBook book;
  Parent p;
  for (const uint32_t thread : {1, 2}) {
    p.add(thread, 1, Kind::mutex_lock, 1);
    p.add(thread, 2, Kind::mutex_unlock, 1);
  }
  p.objects[1].id = 7;
  learn(book, p);
  EXPECT_EQ(book.states(), 2u);
  // The other thread has still to come, or is at its end.
  EXPECT_EQ(book.situations(), 4u);
}

TEST(StateBook, WhatASectionHasWrittenStaysUntilAnotherOneWrites) {
  StateBook book;
  Parent p;
  p.objects[1].id = 7;
  const auto section = [&](uint32_t thread, uint32_t left) {
    p.add(thread, 1, Kind::mutex_lock, 1);
    p.add(thread, 2, Kind::mutex_unlock, 1).left = left;
  };
  section(1, 5);
  section(2, 0);
  learn(book, p);
  EXPECT_EQ(book.states(), 3u);  // held at first, free and 5, held and 5
  section(1, 6);
  learn(book, p);
  EXPECT_EQ(book.states(), 4u);
  section(2, 5);
  learn(book, p);
  EXPECT_EQ(book.states(), 5u);  // held and 6
}

TEST(StateBook, OnlyWhatSeveralThreadsUseHasAState) {
  StateBook book;
  Parent p;
  p.add(1, 1, Kind::atomic_store, 1);
  p.add(2, 2, Kind::atomic_store, 2);
  learn(book, p);
  EXPECT_TRUE(book.exhausted());
}

TEST(StateBook, NothingIsLearnedFromARunThatCannotBeRepeated) {
  StateBook book;
  for (const uint32_t flag : {uint32_t{kRunTruncated}, uint32_t{kRunStepBound}, uint32_t{kRunFamiliar}}) {
    Parent p = additions({1, 2, 1});
    KnownRun run;
    run.assign(p.summary());
    EXPECT_TRUE(StateBook::learns_from(run));
    p.flags |= flag;
    run.assign(p.summary());
    EXPECT_FALSE(StateBook::learns_from(run));
    learn(book, p);
  }
  Parent p = additions({1, 2});
  for (int i = 0; i < 300; ++i) p.add(1, 3, Kind::atomic_rmw, 1);
  learn(book, p);
  EXPECT_EQ(book.states(), 0u);
  EXPECT_TRUE(book.exhausted());
}

// There is room for 16,384 of each. A state has two situations here, so these are full first.
TEST(StateBook, StatesAreKeptWhenThereIsNoRoomForSituations) {
  StateBook book;
  const auto learn_position = [&](SiteId site) {
    Parent p;
    p.add(1, 1, Kind::atomic_rmw, 1).left = 1;
    p.add(2, site, Kind::atomic_rmw, 1).left = 2;
    p.objects[1].id = 7;
    learn(book, p);
  };
  for (SiteId site = 2; site < 9'000; ++site) learn_position(site);
  EXPECT_EQ(book.situations(), 1u << 14);
  const size_t states = book.states();
  learn_position(9'000);
  EXPECT_EQ(book.situations(), 1u << 14);
  EXPECT_EQ(book.states(), states + 1);
  Rng rng(1);
  for (int i = 0; i < 1'000; ++i) ASSERT_FALSE(book.return_to_rare(rng).elements.empty());
}

// What an ordinary variable contains is part of the situation, unless there is nothing else.
TEST(StateBook, OrdinaryVariablesMakeSituations) {
  const auto with = [](Kind kind) {
    StateBook book;
    for (const uint32_t left : {1, 2}) {
      Parent p;
      p.add(1, 1, kind, 1).left = left;
      p.add(2, 2, Kind::plain_read, 1);
      p.add(1, 3, Kind::atomic_store, 2).left = 3;
      p.add(2, 3, Kind::atomic_store, 2).left = 4;
      p.objects[1].id = 7;
      p.objects[2].id = 8;
      learn(book, p);
    }
    return std::pair(book.states(), book.situations());
  };
  EXPECT_EQ(with(Kind::plain_write), (std::pair<size_t, size_t>(4, 8)));
  EXPECT_EQ(with(Kind::atomic_store), (std::pair<size_t, size_t>(8, 8)));

  StateBook book;
  for (const uint32_t left : {1, 2}) {
    Parent p;
    p.add(1, 1, Kind::plain_write, 1).left = left;
    p.add(2, 2, Kind::plain_read, 1);
    p.objects[1].id = 7;
    learn(book, p);
  }
  EXPECT_EQ(book.states(), 4u);
}

// After the first addition, each of four threads can be next, and the run has made one of these steps. Each other one is tried once.
TEST(StateBook, StepsThatNobodyHasMadeComeFirst) {
  StateBook book;
  learn(book, additions({1, 2, 3, 4, 0}));
  Rng rng(1);
  std::multiset<std::pair<size_t, ThreadId>> steps;
  for (int i = 0; i < 100; ++i) {
    const Schedule s = book.return_to_rare(rng);
    const size_t length = s.elements.size();
    const ThreadId last = s.elements.back().thread;
    if (last != Parent::id(length == 5 ? 0 : static_cast<uint32_t>(length))) steps.emplace(length, last);
  }
  const ThreadId three = Parent::id(3), four = Parent::id(4), main = Parent::id(0);
  EXPECT_EQ(steps, (std::multiset<std::pair<size_t, ThreadId>>{{2, three}, {2, four}, {2, main}, {3, four}, {3, main}, {4, main}}));
}

// A lock that is held, or a message that is not there, would hold the whole child.
TEST(StateBook, AStepThatHasToWaitIsNotTried) {
  StateBook book;
  Parent p;
  p.add(1, 1, Kind::mutex_lock, 1);
  p.add(1, 2, Kind::atomic_rmw, 2).left = 1;
  p.add(1, 3, Kind::mutex_unlock, 1);
  p.add(2, 4, Kind::mutex_lock, 1);
  p.add(2, 5, Kind::atomic_rmw, 2).left = 2;
  p.add(3, 6, Kind::channel_receive, 3);
  p.add(4, 7, Kind::channel_send, 3);
  learn(book, p);
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const std::vector<Element> made = book.return_to_rare(rng).elements;
    const auto at = [&](SiteId site) { return std::find_if(made.begin(), made.end(), [&](const Element& e) { return e.site == site; }) - made.begin(); };
    const auto all = static_cast<std::ptrdiff_t>(made.size());
    if (at(4) < all) EXPECT_LT(at(3), at(4));
    if (at(6) < all) EXPECT_LT(at(5), at(6));
  }
}

TEST(StateBook, ExhaustedUntilSomethingIsNew) {
  StateBook book;
  learn(book, additions({1, 2}));
  Rng rng(1);
  int returns = 0;
  for (; !book.exhausted(); ++returns) {
    book.return_to_rare(rng);
    ASSERT_LT(returns, 1000);
  }
  EXPECT_GE(returns, 2 * 8);
  learn(book, additions({2, 1}));
  EXPECT_TRUE(book.exhausted());
  learn(book, additions({2, 1, 1}));
  EXPECT_FALSE(book.exhausted());
}

TEST(StateBook, TheNextReturnTakesAnotherWay) {
  StateBook book;
  learn(book, additions({1, 2}));
  Rng rng(1);
  std::set<ThreadId> first;
  for (int i = 0; i < 30; ++i) {
    first.insert(book.return_to_rare(rng).elements[0].thread);
    learn(book, i % 2 ? additions({1, 2}) : additions({2, 1}));
  }
  EXPECT_EQ(first.size(), 2u);
}

// Else a thread that spins would make all ways longer and longer.
TEST(StateBook, AMuchLongerWayIsNotTaken) {
  StateBook book;
  learn(book, additions({1, 2}));
  Rng rng(1);
  Parent longer;
  for (int i = 0; i < 40; ++i) longer.add(1, 1, Kind::atomic_rmw, 1, Outcome::failure);
  for (Event& e : longer.events) e.kind = Kind::atomic_cas;
  for (const Event& e : additions({1, 2}).events) longer.add(e.thread, e.site, e.kind, e.object).left = e.left;
  longer.objects[1].id = 7;
  for (int i = 0; i < 40; ++i) {
    const Schedule s = book.return_to_rare(rng);
    learn(book, longer);
    // The other thread's addition can also be a step from before this one.
    const bool added = std::any_of(s.elements.begin(), s.elements.end(),
                                   [](const Element& e) { return e.thread == Parent::id(1) && e.kind == Kind::atomic_rmw; });
    if (added) EXPECT_LE(s.elements.size(), 2u);
  }
}

}  // namespace
}  // namespace heddle::mutator
