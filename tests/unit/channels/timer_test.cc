// Timers, tickers and contexts. No test depends on how long anything takes: only on what comes
// first, and on what may not come too early.
#include <gtest/gtest.h>
#include <heddle/context.h>
#include <heddle/select.h>
#include <heddle/timer.h>

#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "tests/unit/channels/waiting.h"

namespace channels_test {
namespace {

using namespace std::chrono_literals;
using heddle::after;
using heddle::context;
using heddle::context_error;
using heddle::make_chan;
using heddle::on_receive;
using heddle::select;
using heddle::time_point;
using heddle::with_cancel;
using heddle::with_deadline;
using heddle::with_timeout;
using std::chrono::steady_clock;

TEST(Timer, AfterIsNotTooEarlyAndComesOnce) {
  const auto start = steady_clock::now();
  auto c = after(3ms);
  const auto at = *c.receive();
  EXPECT_GE(at - start, 3ms);
  EXPECT_LE(at, steady_clock::now());
  EXPECT_EQ(select(on_receive(c), on_receive(after(2ms))), 1u);
  EXPECT_EQ(c.try_receive(), std::nullopt);
}

TEST(Timer, TheEarlierOneWins) {
  auto idle = make_chan<int>();
  EXPECT_EQ(select(on_receive(after(1h)), on_receive(after(1ms)), on_receive(idle)), 1u);
  idle.close();
  EXPECT_EQ(select(on_receive(after(1h)), on_receive(idle)), 1u);
}

TEST(Timer, NobodyNeedsToLook) {
  auto c = after(0s);
  EXPECT_EQ(c.size(), 1u);
  EXPECT_TRUE(c.try_receive());
}

TEST(Timer, DurationsOfAnySize) {
  EXPECT_TRUE(after(-1h).try_receive());
  EXPECT_TRUE(after(std::chrono::hours::min()).try_receive());
  EXPECT_TRUE(after(std::chrono::duration<double>(-1e300)).try_receive());
  EXPECT_TRUE(after(std::chrono::duration<double>(0.0)).receive());
  EXPECT_FALSE(after(std::chrono::hours::max()).try_receive());
  EXPECT_FALSE(after(std::chrono::duration<double>(1e300)).try_receive());
  EXPECT_FALSE(after(std::chrono::nanoseconds::max()).try_receive());
  EXPECT_TRUE(
      after(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())).try_receive());
}

TEST(Timer, StopDropsWhatHasNotBeenReceived) {
  heddle::timer t(1h);
  EXPECT_TRUE(t.stop());
  EXPECT_FALSE(t.stop());
  EXPECT_FALSE(t.reset(0s));
  EXPECT_EQ(t.channel().size(), 1u);
  EXPECT_TRUE(t.stop());
  EXPECT_FALSE(t.channel().try_receive());
  EXPECT_FALSE(t.reset(1ms));
  EXPECT_TRUE(t.channel().receive());
  EXPECT_FALSE(t.stop());
}

TEST(Timer, AnEarlierTimeReachesWhoWaits) {
  heddle::timer t(1h);
  heddle::timer copy = t;
  std::jthread one([&] { t.channel().receive(); });
  std::jthread other(
      [&] { EXPECT_EQ(select(on_receive(t.channel()), on_receive(after(2h))), 0u); });
  until_receivers(t.channel(), 2);
  EXPECT_TRUE(copy.reset(0s));
  until_receivers(t.channel(), 1);  // one value for two
  EXPECT_FALSE(copy.reset(1ms));
}

TEST(Timer, ALaterTimeReachesWhoWaits) {
  heddle::timer t(30ms);
  time_point came;
  std::jthread waiter([&] { came = *t.channel().receive(); });
  std::this_thread::yield();
  const auto start = steady_clock::now();
  const bool in_time = t.reset(60ms);
  waiter.join();
  if (in_time) EXPECT_GE(came - start, 60ms);
}

TEST(Ticker, TicksAtMultiplesOfItsPeriod) {
  const auto start = steady_clock::now();
  heddle::ticker every(1ms);
  int n = 0;
  for (time_point at : every.channel()) {
    EXPECT_GE(at - start, ++n * 1ms);
    if (n == 5) break;
  }
  every.stop();
  EXPECT_FALSE(every.channel().try_receive());
  EXPECT_EQ(select(on_receive(every.channel()), on_receive(after(3ms))), 1u);
  every.reset(1ms);
  EXPECT_TRUE(every.channel().receive());
}

TEST(Ticker, WhoComesLateFindsOneTick) {
  heddle::ticker every(1ms);
  std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(every.channel().try_receive());
  every.reset(1h);
  EXPECT_FALSE(every.channel().try_receive());
}

TEST(Ticker, ThePeriodMustBePositive) {
  EXPECT_THROW(heddle::ticker(0s), std::invalid_argument);
  EXPECT_THROW(heddle::ticker(-1s), std::invalid_argument);
  EXPECT_THROW(heddle::ticker(1s).reset(0s), std::invalid_argument);
}

TEST(Ticker, ItsTicksAreSharedOut) {
  heddle::ticker every(1ms);
  std::atomic<int> ticks = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 3; ++k) ticks += every.channel().receive().has_value();
    });
  }
  threads.clear();
  EXPECT_EQ(ticks, 9);
}

TEST(Context, TheBackgroundIsNeverOver) {
  context background = context::background();
  EXPECT_FALSE(background.done());
  EXPECT_EQ(background.error(), context_error::none);
  EXPECT_EQ(background.deadline(), std::nullopt);
}

TEST(Context, CancelReachesThoseBelowAndNoOthers) {
  auto [root, cancel_root] = with_cancel(context::background());
  auto [left, cancel_left] = with_cancel(root);
  auto [right, cancel_right] = with_cancel(root);
  auto [below, cancel_below] = with_timeout(left, 1h);
  std::jthread waiter([done = below.done()] { EXPECT_FALSE(done.receive()); });
  until_receivers(below.done(), 1);
  cancel_left();
  waiter.join();
  EXPECT_EQ(left.error(), context_error::canceled);
  EXPECT_EQ(below.error(), context_error::canceled);
  EXPECT_EQ(root.error(), context_error::none);
  EXPECT_EQ(right.error(), context_error::none);
  cancel_left();
  auto copy = cancel_root;
  copy();
  EXPECT_EQ(right.error(), context_error::canceled);
  cancel_right();
  auto [late, cancel_late] = with_cancel(right);
  EXPECT_EQ(late.error(), context_error::canceled);
  EXPECT_FALSE(late.done().receive());
}

TEST(Context, ADeadlineIsInherited) {
  auto [outer, cancel_outer] = with_timeout(context::background(), 2ms);
  auto [inner, cancel_inner] = with_timeout(outer, 1h);
  auto [longer, cancel_longer] = with_cancel(inner);
  EXPECT_EQ(outer.deadline(), inner.deadline());
  EXPECT_EQ(outer.deadline(), longer.deadline());
  longer.done().receive();
  EXPECT_GE(steady_clock::now(), *longer.deadline());
  EXPECT_EQ(longer.error(), context_error::deadline_exceeded);
  EXPECT_EQ(outer.error(), context_error::deadline_exceeded);
  cancel_outer();
  EXPECT_EQ(inner.error(), context_error::deadline_exceeded);
  auto [sooner, cancel_sooner] = with_deadline(context::background(), steady_clock::now());
  EXPECT_EQ(sooner.error(), context_error::deadline_exceeded);
  auto [child, cancel_child] = with_timeout(sooner, 1h);
  EXPECT_EQ(child.error(), context_error::deadline_exceeded);
  cancel_child();
  EXPECT_EQ(child.error(), context_error::deadline_exceeded);
}

TEST(Context, CancelledBeforeItsDeadlineStaysCancelled) {
  auto [ctx, cancel] = with_timeout(context::background(), 5ms);
  cancel();
  const bool in_time = ctx.error() == context_error::canceled;
  std::this_thread::sleep_until(*ctx.deadline());
  EXPECT_EQ(ctx.error(), in_time ? context_error::canceled : context_error::deadline_exceeded);
}

TEST(Context, LetGoInAnyOrder) {
  for (int order = 0; order < 2; ++order) {
    context kept;
    {
      auto [root, cancel] = with_cancel(context::background());
      auto [left, cancel_left] = with_cancel(root);
      auto [right, cancel_right] = with_cancel(root);
      kept = order == 0 ? left : right;
    }
    EXPECT_EQ(kept.error(), context_error::none);
    auto [child, cancel] = with_cancel(kept);
    cancel();
    EXPECT_EQ(kept.error(), context_error::none);
    EXPECT_EQ(child.error(), context_error::canceled);
  }
}

TEST(Context, ManyThreadsCancelAndMake) {
  for (int round = 0; round < 100; ++round) {
    auto [root, cancel] = with_cancel(context::background());
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([root = root, cancel = cancel, i] {
        if (i == 3) return cancel();
        context at = root;
        for (int depth = 0; depth < 5; ++depth) at = with_cancel(at).ctx;
        EXPECT_FALSE(at.done().receive());
        EXPECT_EQ(at.error(), context_error::canceled);
      });
    }
  }
}

}  // namespace
}  // namespace channels_test
