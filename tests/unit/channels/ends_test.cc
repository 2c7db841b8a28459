// Channels of signals, handles with one direction, select without handlers, and empty timers.
#include <gtest/gtest.h>
#include <heddle/context.h>
#include <heddle/select.h>
#include <heddle/timer.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "waiting.h"

namespace channels_test {
namespace {

using heddle::chan;
using heddle::make_chan;
using heddle::receive_status;
using heddle::recv_chan;
using heddle::send_chan;
using namespace std::chrono_literals;

template <class C>
concept CanSend = requires(const C& c) { c.send(1); };
template <class C>
concept CanReceive = requires(const C& c) { c.receive(); };
template <class C>
concept CanClose = requires(const C& c) { c.close(); };
template <class C>
concept CanOfferSend = requires(const C& c) { heddle::on_send(c, 1); };
template <class C>
concept CanOfferReceive = requires(const C& c) { heddle::on_receive(c); };

static_assert(CanSend<chan<int>> && CanReceive<chan<int>> && CanClose<chan<int>>);
static_assert(CanSend<send_chan<int>> && !CanReceive<send_chan<int>> && CanClose<send_chan<int>>);
static_assert(!CanSend<recv_chan<int>> && CanReceive<recv_chan<int>> && !CanClose<recv_chan<int>>);
static_assert(CanOfferSend<send_chan<int>> && !CanOfferReceive<send_chan<int>>);
static_assert(!CanOfferSend<recv_chan<int>> && CanOfferReceive<recv_chan<int>>);
static_assert(std::is_convertible_v<chan<int>, send_chan<int>>);
static_assert(std::is_convertible_v<chan<int>, recv_chan<int>>);
static_assert(!std::is_convertible_v<send_chan<int>, chan<int>>);
static_assert(!std::is_convertible_v<recv_chan<int>, chan<int>>);
static_assert(!std::is_convertible_v<send_chan<int>, recv_chan<int>>);
static_assert(!std::is_convertible_v<chan<int>, recv_chan<long>>);
static_assert(sizeof(chan<int>) == sizeof(void*) && sizeof(recv_chan<int>) == sizeof(void*));

constinit chan<int> nil_at_namespace_scope;
constinit recv_chan<void> nil_signal;
constinit heddle::canceler no_canceler;

TEST(Ends, AreTheSameChannel) {
  const auto c = make_chan<std::unique_ptr<int>>(2);
  const send_chan<std::unique_ptr<int>> in = c;
  const recv_chan<std::unique_ptr<int>> out = c;
  EXPECT_TRUE(in == c && out == c && c == out);
  in.send(std::make_unique<int>(1));
  EXPECT_TRUE(in.try_send(std::make_unique<int>(2)));
  EXPECT_EQ(in.size(), 2u);
  EXPECT_EQ(out.capacity(), 2u);
  EXPECT_EQ(**out.receive(), 1);
  EXPECT_EQ(**out.try_receive(), 2);
  in.close();
  std::optional<std::unique_ptr<int>> none;
  EXPECT_EQ(out.try_receive(none), receive_status::closed);
  for (auto& left : out) FAIL() << *left;
}

TEST(Ends, KeepTheChannelAlive) {
  recv_chan<std::string> out;
  EXPECT_FALSE(out);
  EXPECT_TRUE(out == nullptr);
  {
    const auto c = make_chan<std::string>(1);
    const send_chan<std::string> in = c;
    recv_chan<std::string> moved = c;
    in.send("a text that is too long for the string itself");
    out = std::move(moved);
    EXPECT_FALSE(moved);
  }
  EXPECT_EQ(out.receive(), "a text that is too long for the string itself");
  EXPECT_FALSE(nil_at_namespace_scope || nil_signal || no_canceler);
}

TEST(Signal, PassesBetweenThreads) {
  const auto unbuffered = make_chan<void>();
  std::jthread sender([in = send_chan<void>(unbuffered)] {
    in.send();
    in.close();
  });
  EXPECT_TRUE(unbuffered.receive());
  EXPECT_FALSE(unbuffered.receive());
}

TEST(Signal, IsCountedInABuffer) {
  const auto c = make_chan<void>(2);
  EXPECT_EQ(c.try_receive(), receive_status::empty);
  EXPECT_TRUE(c.try_send());
  c.send();
  EXPECT_FALSE(c.try_send());
  EXPECT_EQ(c.size(), 2u);
  EXPECT_EQ(c.try_receive(), receive_status::value);
  c.close();
  EXPECT_THROW(c.send(), heddle::channel_error);
  EXPECT_THROW(c.close(), heddle::channel_error);
  EXPECT_TRUE(c.receive());
  EXPECT_EQ(c.try_receive(), receive_status::closed);
}

TEST(Signal, AClosedOneReachesAll) {
  const auto stop = make_chan<void>();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([stop = recv_chan<void>(stop)] { EXPECT_FALSE(stop.receive()); });
  until_receivers(stop, 4);
  stop.close();
}

TEST(Select, AChannelAloneIsACase) {
  const auto stop = make_chan<void>();
  const auto jobs = make_chan<std::string>(1);
  EXPECT_EQ(heddle::select(heddle::on_send(jobs, "job"), stop), 0u);
  EXPECT_EQ(heddle::select(stop, jobs), 1u);
  EXPECT_EQ(jobs.size(), 0u);
  EXPECT_EQ(heddle::select(stop, jobs, heddle::after(1ms)), 2u);
  stop.close();
  EXPECT_EQ(heddle::select(heddle::on_receive(jobs), recv_chan<void>(stop)), 1u);
}

TEST(Select, TakesNothingIfNothingIsReady) {
  const auto stop = make_chan<void>();
  const recv_chan<void> seen = stop;
  const auto jobs = make_chan<int>(1);
  EXPECT_FALSE(heddle::try_select(stop));
  EXPECT_FALSE(heddle::try_select(seen, jobs));
  EXPECT_FALSE(heddle::try_select());
  EXPECT_EQ(heddle::try_select(stop, heddle::on_send(jobs, 1)), 1u);
  EXPECT_FALSE(heddle::try_select(stop, heddle::on_send(jobs, 2)));
  int got = 0;
  EXPECT_EQ(heddle::try_select(heddle::on_receive(jobs, [&](std::optional<int> n) { got = *n; })), 0u);
  EXPECT_EQ(got, 1);
  stop.close();
  EXPECT_EQ(heddle::try_select(seen), 0u);
  EXPECT_FALSE(heddle::try_select(chan<int>()));
}

TEST(Select, StoresWhatItReceives) {
  const auto texts = make_chan<std::string>(1);
  const auto signals = make_chan<void>(1);
  std::optional<std::string> text;
  bool open = false;
  texts.send("x");
  EXPECT_EQ(heddle::select(heddle::on_receive(texts, text), heddle::on_receive(signals, open)), 0u);
  EXPECT_EQ(text, "x");
  EXPECT_FALSE(open);
  EXPECT_EQ(heddle::select(heddle::on_send(signals)), 0u);
  heddle::select(heddle::on_receive(signals, open));
  EXPECT_TRUE(open);
  texts.close();
  signals.close();
  heddle::select(heddle::on_receive(texts, text));
  heddle::select(heddle::on_receive(signals, open));
  EXPECT_EQ(text, std::nullopt);
  EXPECT_FALSE(open);
}

TEST(Select, ASelectorTakesEnds) {
  const auto c = make_chan<int>(1);
  const auto s = make_chan<void>(1);
  heddle::selector any;
  int calls = 0;
  any.send(send_chan<int>(c), 5, [&] { ++calls; });
  any.send(send_chan<void>(s), [&] { ++calls; });
  any.wait();
  any.wait();
  EXPECT_EQ(calls, 2);
  any.clear();
  any.receive(recv_chan<int>(c), [&](std::optional<int> n) { calls += *n; });
  any.receive(recv_chan<void>(s), [&](bool open) { calls += open; });
  any.wait();
  any.wait();
  EXPECT_EQ(calls, 8);
}

TEST(Empty, TimersAndCancelersCanBeMembers) {
  struct Server {
    heddle::timer idle;
    heddle::ticker every;
    heddle::canceler cancel;
    heddle::cancelable work;
  } server;
  EXPECT_FALSE(server.idle || server.every || server.cancel || server.work.cancel);
  EXPECT_FALSE(server.idle.channel() || server.every.channel() || server.work.ctx.done());
  EXPECT_FALSE(server.idle.stop());
  server.every.stop();
  server.cancel();
  heddle::canceler of_background((heddle::context()));
  of_background();
  EXPECT_THROW(server.idle.reset(1s), std::logic_error);
  EXPECT_THROW(server.every.reset(1s), std::logic_error);
  server.idle = heddle::timer(1h);
  EXPECT_TRUE(server.idle);
  EXPECT_TRUE(server.idle.stop());
  server.every = heddle::ticker(1ms);
  server.every.channel().receive();
  server.work = heddle::with_cancel(heddle::context::background());
  server.cancel = server.work.cancel;
  EXPECT_FALSE(heddle::try_select(server.work.ctx.done()));
  server.cancel();
  EXPECT_TRUE(heddle::try_select(server.work.ctx.done()));
}

}  // namespace
}  // namespace channels_test
