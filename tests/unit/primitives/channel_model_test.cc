// Channels, select and wait groups as the runtime models them. The library on real threads: tests/unit/channels.
#include <gtest/gtest.h>
#include <heddle/csp.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "controlled_run.h"

// The driver's, which is not linked here.
extern "C" __attribute__((visibility("default"))) int heddle_under_control(void) { return heddle::rt::controlled() ? 1 : 0; }

namespace heddle::test {
namespace {

using rt::FindingType;

Element element(const Result& r, const Event& e, uint8_t chain = 0) {
  Element out{};
  out.thread = r.threads[e.thread].id;
  out.site = e.site;
  out.kind = e.kind;
  out.occurrence = e.occurrence;
  out.chain = chain;
  return out;
}

SelectPreference prefer(const Event& e, int32_t choice) {
  SelectPreference p{};
  p.site = e.site;
  p.kind = e.kind;
  p.choice = choice;
  return p;
}

TEST(Channel, TheHalvesOfARendezvousAreEachOthersPartners) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    int got = 0;
    const Result r = run_seed(seed, [&] {
      const auto c = make_chan<int>();
      std::thread sender([&] { c.send(42); });
      got = c.receive().value_or(0);
      sender.join();
    });
    ASSERT_TRUE(r.finished());
    ASSERT_EQ(got, 42);
    const Event* send = r.event(Kind::channel_send, 1);
    const Event* receive = r.event(Kind::channel_receive, 0);
    ASSERT_TRUE(send != nullptr && receive != nullptr);
    EXPECT_EQ(&r.events[send->partner], receive);
    EXPECT_EQ(&r.events[receive->partner], send);
    EXPECT_EQ(send->value, receive->value);
  }
}

TEST(Channel, ABufferedSendComesAfterTheReceiveThatMadeRoom) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const Result r = run_seed(seed, [] {
      const auto c = make_chan<int>(2);
      std::thread sender([&] { for (int i = 0; i < 5; ++i) c.send(i); });
      for (int i = 0; i < 5; ++i) c.receive();
      sender.join();
    });
    ASSERT_TRUE(r.finished());
    for (int k = 0; k < 5; ++k) {
      const Event* send = r.event(Kind::channel_send, 1, k);
      const Event* receive = r.event(Kind::channel_receive, 0, k);
      EXPECT_EQ(&r.events[receive->partner], send);
      if (k < 2) EXPECT_EQ(send->partner, kNoEvent);
      else EXPECT_EQ(&r.events[send->partner], r.event(Kind::channel_receive, 0, k - 2));
    }
    ASSERT_EQ(r.channels.size(), 1u);
    EXPECT_EQ(r.channels[0].capacity, 2u);
    EXPECT_GE(r.channels[0].peak, 1u);
    EXPECT_LE(r.channels[0].peak, 2u);
    EXPECT_EQ(r.channels[0].made, 1);
  }
}

TEST(Channel, EveryOrderOfTwoSendersCanHappen) {
  std::set<int> first;
  run_seeds(100, [&] {
    const auto c = make_chan<int>();
    std::thread a([&] { c.send(1); }), b([&] { c.send(2); });
    first.insert(*c.receive());
    c.receive();
    a.join();
    b.join();
  });
  EXPECT_EQ(first, (std::set<int>{1, 2}));
}

TEST(Channel, WhatAChainHoldsBackIsNobodysPartner) {
  int winner = 0;
  const auto body = [&] {
    const auto c = make_chan<int>();
    std::thread a([&] { if (c.receive()) winner = winner ? winner : 1; });
    std::thread b([&] { if (c.receive()) winner = winner ? winner : 2; });
    c.send(7);
    c.send(8);
    a.join();
    b.join();
  };
  const Result recorded = run_seed(1, body);
  for (const uint32_t wanted : {1u, 2u}) {
    Schedule s;
    s.elements = {element(recorded, *recorded.event(Kind::channel_receive, wanted)),
                  element(recorded, *recorded.event(Kind::channel_receive, 3 - wanted))};
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      s.seed = seed;
      winner = 0;
      const Result r = run(s, body);
      EXPECT_TRUE(r.finished());
      EXPECT_EQ(r.chains[0].realised, 2u);
      EXPECT_EQ(winner, static_cast<int>(wanted));
    }
  }
}

TEST(Channel, CloseLetsReceiversGoAndIsMisusedByASecondOne) {
  bool empty = false;
  const Ends ends = run_seeds(50, [&] {
    const auto c = make_chan<int>();
    std::thread closer([&] { c.close(); });
    empty = !c.receive().has_value();
    closer.join();
    EXPECT_THROW(c.close(), channel_error);
  });
  EXPECT_TRUE(empty);
  EXPECT_EQ(ends.finished, 50);
  EXPECT_EQ(ends.findings.at(FindingType::close_of_closed_channel), 50);
}

TEST(Channel, ASendOnAClosedChannelIsAFindingAlsoWhereItWaits) {
  const Ends ends = run_seeds(50, [] {
    const auto c = make_chan<int>();
    std::thread sender([&] {
      try {
        c.send(1);
      } catch (const channel_error&) {
      }
    });
    c.close();
    sender.join();
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_EQ(ends.findings.at(FindingType::send_on_closed_channel), 50);
}

TEST(Channel, NobodyWaitsOnNil) {
  EXPECT_TRUE(run_seed(1, [] { chan<int>().receive(); }).stuck());
  EXPECT_TRUE(run_seed(1, [] { chan<int>().send(1); }).stuck());
  EXPECT_TRUE(run_seed(1, [] { selector().wait(); }).stuck());
}

TEST(Channel, TimersFireInVirtualTime) {
  bool in_order = true;
  const Ends ends = run_seeds(100, [&] {
    const auto late = after(std::chrono::hours(2)), early = after(std::chrono::hours(1));
    const auto first = *early.receive(), second = *late.receive();
    in_order = in_order && first <= second;
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_TRUE(in_order);
}

TEST(Channel, AWaitGroupWaitsForAllAndIsNeverNegative) {
  int done = 0;
  const Ends ends = run_seeds(100, [&] {
    done = 0;
    wait_group group;
    group.add(3);
    for (int i = 0; i < 3; ++i) {
      go([&] {
        ++done;
        group.done();
      });
    }
    group.wait();
    if (done != 3) std::abort();
    EXPECT_ANY_THROW(group.done());
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_EQ(ends.findings.at(FindingType::negative_wait_group), 100);
}

// --- select --------------------------------------------------------------------------------------

struct TwoWays {
  int taken = -1;
  void operator()() {
    const auto a = make_chan<int>(), b = make_chan<int>();
    go([a] { a.send(1); });
    go([b] { b.send(1); });
    selector s;
    s.receive(a, [](std::optional<int>) {});
    s.receive(b, [](std::optional<int>) {});
    taken = static_cast<int>(s.wait());
  }
};

TEST(Select, TakesWhatThePreferenceSaysWheneverItCan) {
  TwoWays body;
  const Result recorded = run_seed(1, std::ref(body));
  const Event* select = recorded.event(Kind::select, 0);
  ASSERT_NE(select, nullptr);
  for (const int wanted : {0, 1}) {
    Schedule s;
    s.selects = {prefer(*select, wanted)};
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      s.seed = seed;
      const Result r = run(s, std::ref(body));
      EXPECT_EQ(body.taken, wanted);
      EXPECT_NE(r.event(Kind::select, 0)->flags & kEventPreferred, 0);
      EXPECT_EQ(r.event(Kind::select, 0)->choice, static_cast<uint32_t>(wanted));
    }
  }
}

TEST(Select, GoesWithoutWhatCannotBe) {
  int taken = -1;
  const auto body = [&] {
    const auto a = make_chan<int>(1), never = make_chan<int>();
    a.send(1);
    selector s;
    s.receive(a, [](std::optional<int>) {});
    s.receive(never, [](std::optional<int>) {});
    taken = static_cast<int>(s.wait());
  };
  Schedule s;
  s.selects = {prefer(*run_seed(1, body).event(Kind::select, 0), 1)};
  const Result r = run(s, body);
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(taken, 0);
  EXPECT_EQ(r.event(Kind::select, 0)->flags & kEventPreferred, 0);
}

TEST(Select, APreferredDefaultIsTakenWhenNothingIsReadyOnly) {
  bool by_default = false;
  const auto body = [&](bool ready) {
    by_default = false;
    const auto c = make_chan<int>(1);
    if (ready) c.send(1);
    selector s;
    s.receive(c, [](std::optional<int>) {});
    s.otherwise([&] { by_default = true; });
    s.wait();
  };
  Schedule s;
  s.selects = {prefer(*run_seed(1, [&] { body(false); }).event(Kind::select, 0), -1)};
  run(s, [&] { body(false); });
  EXPECT_TRUE(by_default);
  const Result r = run(s, [&] { body(true); });
  EXPECT_FALSE(by_default);
  EXPECT_EQ(r.event(Kind::select, 0)->flags & kEventPreferred, 0);
}

TEST(Select, TwoThatPreferEachOtherMeet) {
  int left = -1, right = -1;
  const auto body = [&] {
    const auto common = make_chan<int>(), other = make_chan<int>(1);
    std::thread t([&] {
      selector s;
      s.send(other, 1, [] {});
      s.send(common, 1, [] {});
      left = static_cast<int>(s.wait());
    });
    selector s;
    s.receive(common, [](std::optional<int>) {});
    s.otherwise([] {});
    right = static_cast<int>(s.wait());
    t.join();
  };
  // The left one can always take another case, and the right one need not wait. Neither can have come first, so they never meet.
  const Result recorded = run_seed(1, body);
  Schedule s;
  s.selects = {prefer(*recorded.event(Kind::select, 1), 1), prefer(*recorded.event(Kind::select, 0), 0)};
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    s.seed = seed;
    EXPECT_TRUE(run(s, body).finished());
    EXPECT_EQ(left, 0);
    EXPECT_EQ(right, 1);
  }
}

TEST(Select, ATimerCaseMayBePreferred) {
  int taken = -1;
  const auto body = [&] {
    const auto c = make_chan<int>();
    go([c] { c.send(1); });
    selector s;
    s.receive(c, [](std::optional<int>) {});
    const auto timer = after(std::chrono::seconds(1));
    s.receive(timer, [](auto) {});
    taken = static_cast<int>(s.wait());
  };
  Schedule s;
  s.selects = {prefer(*run_seed(1, body).event(Kind::select, 0), 1)};
  run(s, body);
  EXPECT_EQ(taken, 1);
}

TEST(Select, TheCasesOfOneThatNeverEndsAreRecordedToo) {
  const Result r = run_seed(3, [] {
    const auto a = make_chan<int>(), b = make_chan<int>();
    selector s;
    s.receive(a, [](std::optional<int>) {});
    s.send(b, 1, [] {});
    s.wait();
  });
  EXPECT_TRUE(r.stuck());
  ASSERT_EQ(r.select_cases.size(), 2u);
  for (const SelectCase& c : r.select_cases) {
    ASSERT_LT(c.event, r.events.size());
    EXPECT_EQ(r.events[c.event].kind, Kind::select);
    EXPECT_FALSE(r.events[c.event].finished());
    EXPECT_NE(c.object, 0u);
  }
  EXPECT_EQ(r.select_cases[0].direction, static_cast<uint8_t>(CaseDirection::receive));
  EXPECT_EQ(r.select_cases[1].direction, static_cast<uint8_t>(CaseDirection::send));
}

// --- outcomes as choices ---------------------------------------------------------------------------

TEST(Outcome, ATrylockSucceedsOrFailsAsPreferred) {
  bool locked = false;
  const auto body = [&] {
    std::mutex m;
    std::thread t([&] {
      m.lock();
      m.unlock();
    });
    locked = m.try_lock();
    if (locked) m.unlock();
    t.join();
  };
  const Result recorded = run_seed(1, body);
  for (const int choice : {0, 1}) {
    Schedule s;
    s.selects = {prefer(*recorded.event(Kind::mutex_trylock, 0), choice)};
    for (uint64_t seed = 1; seed <= 30; ++seed) {
      s.seed = seed;
      const Result r = run(s, body);
      const Event* e = r.event(Kind::mutex_trylock, 0);
      if (choice == 0) EXPECT_TRUE(locked);
      // It fails wherever the other has not been through with its lock before.
      EXPECT_EQ((e->flags & kEventPreferred) != 0, locked == (choice == 0));
    }
  }
}

// Kubernetes' deadlock, as GoPie derives it (docs/design/gopie.md#a-worked-example).
TEST(Channel, TheFinalChainOfTheWorkedExampleAlwaysDeadlocks) {
  const auto body = [] {
    std::mutex m;
    const auto c = make_chan<bool>();
    std::thread g1([&] {
      for (int i = 0; i < 2; ++i) {
        c.receive();
        m.lock();
        m.unlock();
      }
    });
    const auto r2 = [&] {
      m.lock();
      c.send(true);
      m.unlock();
    };
    std::thread g2(r2), g3(r2);
    g1.join();
    g2.join();
    g3.join();
  };
  Result benign;
  for (uint64_t seed = 1;; ++seed) {
    benign = run_seed(seed, body);
    // Of the two senders, the one that the example calls G2 is the first.
    if (benign.finished() && benign.event(Kind::channel_send, 2)->done < benign.event(Kind::channel_send, 3)->done) break;
    ASSERT_LT(seed, 1000u);
  }
  Schedule s;
  s.elements = {element(benign, *benign.event(Kind::channel_send, 2)), element(benign, *benign.event(Kind::mutex_lock, 3)),
                element(benign, *benign.event(Kind::mutex_lock, 1))};
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    s.seed = seed;
    EXPECT_TRUE(run(s, body).stuck()) << seed;
  }
}

}  // namespace
}  // namespace heddle::test
