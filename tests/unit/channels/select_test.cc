// Select: exactly one case goes, any of those that can, and nothing is left behind in the queues of
// the others.
#include <gtest/gtest.h>
#include <heddle/select.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/channels/waiting.h"

namespace channels_test {
namespace {

using heddle::chan;
using heddle::make_chan;
using heddle::on_receive;
using heddle::on_send;
using heddle::otherwise;
using heddle::select;
using heddle::selector;

TEST(Select, ReturnsThePositionAndCallsTheHandler) {
  auto a = make_chan<int>(1), b = make_chan<int>(1);
  b.send(5);
  int got = 0;
  bool closed = false;
  const auto take = [&](std::optional<int> v) { v ? void(got = *v) : void(closed = true); };
  EXPECT_EQ(select(on_receive(a, take), on_receive(b, take)), 1u);
  EXPECT_EQ(got, 5);
  EXPECT_EQ(select(on_receive(b, take), on_send(a, 6)), 1u);
  EXPECT_EQ(a.receive(), 6);
  a.close();
  EXPECT_EQ(select(on_receive(a, take), on_receive(b, take)), 0u);
  EXPECT_TRUE(closed);
}

TEST(Select, OtherwiseStandsAnywhere) {
  auto a = make_chan<int>(), b = make_chan<int>();
  int calls = 0;
  const auto none = [&] { ++calls; };
  EXPECT_EQ(select(otherwise(none), on_receive(a), on_receive(b)), 0u);
  EXPECT_EQ(select(on_receive(a), otherwise(none), on_send(b, 1)), 1u);
  EXPECT_EQ(select(on_receive(a), on_receive(b), otherwise(none)), 2u);
  EXPECT_EQ(select(otherwise(none)), 0u);
  EXPECT_EQ(select(otherwise()), 0u);
  EXPECT_EQ(calls, 4);
  b.close();
  EXPECT_EQ(select(otherwise(none), on_receive(a), on_receive(b)), 2u);
  EXPECT_EQ(calls, 4);
}

TEST(Select, HandlersOfManyKinds) {
  auto c = make_chan<std::string>(4);
  for (int i = 0; i < 4; ++i) c.send("x");
  struct Counting {
    int calls = 0;
    void operator()() { ++calls; }
  } counting;
  std::string got;
  select(on_receive(c, [&](std::optional<std::string> v) { got += *v; }));
  select(on_receive(c, [&](const std::optional<std::string>& v) { got += *v; }));
  select(on_receive(c, [&](auto&& v) { got += *v; }));
  select(on_receive(c, counting));
  EXPECT_EQ(got, "xxx");
  EXPECT_EQ(counting.calls, 1);
}

TEST(Select, ANilChannelIsNeverReady) {
  chan<int> nil;
  auto c = make_chan<int>(1);
  EXPECT_EQ(select(on_receive(nil), on_send(nil, 1), on_send(c, 1)), 2u);
  EXPECT_EQ(select(on_receive(nil), on_send(nil, 1), otherwise()), 2u);
}

TEST(Select, NeverMeetsItself) {
  auto c = make_chan<int>();
  EXPECT_EQ(select(on_send(c, 1), on_receive(c), otherwise()), 2u);
  // But another one, in either direction.
  int first = -1, second = -1;
  std::jthread other([&] { first = static_cast<int>(select(on_send(c, 1), on_receive(c))); });
  second = static_cast<int>(select(on_send(c, 2), on_receive(c)));
  other.join();
  EXPECT_EQ(first + second, 1);
  EXPECT_EQ(waiting_receivers(c) + waiting_senders(c), 0);
}

TEST(Select, TheSameChannelInSeveralCases) {
  auto c = make_chan<int>(1);
  std::array<int, 4> taken{};
  for (int i = 0; i < 400; ++i) {
    const size_t which = select(on_receive(c), on_send(c, i), on_receive(c), on_send(c, i));
    ++taken[which];
    EXPECT_EQ(which % 2, i % 2 == 0 ? 1u : 0u);
  }
  for (int n : taken) EXPECT_GT(n, 0);
}

TEST(Select, WaitsAndLeavesTheOtherQueues) {
  auto a = make_chan<int>(), b = make_chan<int>(), c = make_chan<int>();
  for (int round = 0; round < 3; ++round) {
    int got = 0;
    size_t which = 9;
    std::jthread waiter([&] {
      const auto take = [&](std::optional<int> v) { got = *v; };
      which = select(on_receive(a, take), on_receive(b, take), on_send(c, 1));
    });
    until_receivers(a, 1);
    until_receivers(b, 1);
    until_senders(c, 1);
    if (round == 0) a.send(1);
    if (round == 1) b.send(2);
    if (round == 2) EXPECT_EQ(c.receive(), 1);
    waiter.join();
    EXPECT_EQ(which, static_cast<size_t>(round));
    EXPECT_EQ(got, round == 2 ? 0 : round + 1);
    EXPECT_EQ(waiting_receivers(a) + waiting_receivers(b) + waiting_senders(c), 0);
  }
}

TEST(Select, IsToldOfAClose) {
  auto a = make_chan<int>(), b = make_chan<int>();
  std::jthread receiver([&] {
    EXPECT_EQ(select(on_receive(a), on_receive(b, [](std::optional<int> v) { EXPECT_FALSE(v); })),
              1u);
  });
  until_receivers(b, 1);
  b.close();
  receiver.join();
  std::jthread sender(
      [&] { EXPECT_THROW(select(on_receive(b = nullptr), on_send(a, 1)), heddle::channel_error); });
  until_senders(a, 1);
  a.close();
  sender.join();
  EXPECT_THROW(select(on_send(a, 1), otherwise()), heddle::channel_error);
}

TEST(Select, ChoosesUniformlyAmongTheReady) {
  constexpr int kCases = 5, kDraws = 50'000;
  std::array<int, kCases> taken{};
  auto ready = make_chan<int>();
  ready.close();
  auto not_ready = make_chan<int>();
  for (int i = 0; i < kDraws; ++i) {
    const size_t which =
        select(on_receive(ready), on_receive(ready), on_receive(not_ready), on_receive(ready),
               on_receive(ready), on_receive(not_ready), on_receive(ready));
    ASSERT_NE(which, 2u);
    ASSERT_NE(which, 5u);
    ++taken[which - (which > 2) - (which > 5)];
  }
  // Seven standard deviations: once in 10^11 tests.
  const double mean = double{kDraws} / kCases, deviation = std::sqrt(mean * (1 - 1.0 / kCases));
  for (int n : taken) EXPECT_NEAR(n, mean, 7 * deviation);
}

TEST(Select, ConsecutiveChoicesAreIndependent) {
  constexpr int kDraws = 40'000;
  std::array<std::array<int, 2>, 2> pairs{};
  auto a = make_chan<int>(), b = make_chan<int>();
  a.close();
  b.close();
  size_t before = select(on_receive(a), on_receive(b));
  for (int i = 0; i < kDraws; ++i) {
    const size_t now = select(on_receive(a), on_receive(b));
    ++pairs[before][now];
    before = now;
  }
  const double mean = kDraws / 4.0, deviation = std::sqrt(mean);
  for (const auto& row : pairs) {
    for (int n : row) EXPECT_NEAR(n, mean, 7 * deviation);
  }
}

TEST(Select, AHandlerThatThrowsComesAfterTheOperation) {
  auto a = make_chan<int>(1), b = make_chan<int>();
  a.send(1);
  EXPECT_THROW(select(on_receive(a, [](std::optional<int>) { throw std::runtime_error("x"); }),
                      on_send(b, 2)),
               std::runtime_error);
  EXPECT_EQ(a.size(), 0u);
  EXPECT_THROW(select(on_send(a, 3, [] { throw std::runtime_error("x"); }), on_receive(b)),
               std::runtime_error);
  EXPECT_EQ(a.receive(), 3);
}

TEST(Select, HandlersMayUseTheChannels) {
  auto a = make_chan<int>(1);
  a.send(1);
  select(on_receive(a, [&](std::optional<int> v) { select(on_send(a, *v + 1)); }));
  EXPECT_EQ(a.receive(), 2);
}

TEST(Selector, LikeSelectButBuiltAtRunTime) {
  auto a = make_chan<int>(1), b = make_chan<int>(1);
  int got = 0, sent = 0, none = 0;
  selector s;
  s.receive(a, [&](std::optional<int> v) { got += *v; });
  s.otherwise([&] { ++none; });
  s.send(b, 7, [&] { ++sent; });
  EXPECT_EQ(s.size(), 3u);
  EXPECT_EQ(s.wait(), 2u);
  EXPECT_EQ(s.wait(), 1u);  // the value has been sent
  a.send(3);
  EXPECT_EQ(s.wait(), 0u);
  EXPECT_EQ(got, 3);
  EXPECT_EQ(sent, 1);
  EXPECT_EQ(none, 1);
  EXPECT_EQ(b.receive(), 7);
  s.clear();
  EXPECT_EQ(s.size(), 0u);
  s.receive(a);
  a.send(1);
  EXPECT_EQ(s.wait(), 0u);
}

TEST(Selector, ManyCasesAndTheirLimit) {
  selector s;
  auto idle = make_chan<int>(), last = make_chan<int>();
  for (int i = 0; i < 65534; ++i) s.receive(idle);
  s.receive(last);
  EXPECT_THROW(s.receive(idle), std::length_error);
  EXPECT_THROW(s.send(idle, 1), std::length_error);
  EXPECT_EQ(s.size(), 65535u);
  std::jthread sender([&] { last.send(1); });
  EXPECT_EQ(s.wait(), 65534u);
  s.otherwise();
  EXPECT_THROW(s.otherwise(), std::logic_error);
  EXPECT_EQ(s.wait(), 65535u);
  EXPECT_EQ(waiting_receivers(idle), 0);
}

TEST(Selector, WaitsOnManyChannels) {
  std::vector<chan<int>> channels;
  selector s;
  for (int i = 0; i < 100; ++i) {
    channels.push_back(make_chan<int>());
    s.receive(channels.back());
  }
  for (int i = 0; i < 100; ++i) {
    std::jthread sender([&] { channels[i * 37 % 100].send(i); });
    EXPECT_EQ(s.wait(), static_cast<size_t>(i * 37 % 100));
  }
}

}  // namespace
}  // namespace channels_test
