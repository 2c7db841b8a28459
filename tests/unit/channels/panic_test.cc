// What Go calls a panic, and functions that are called later.
#include <gtest/gtest.h>
#include <heddle/csp.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace channels_test {
namespace {

using namespace std::chrono_literals;

TEST(Panic, IsRecoveredFrom) {
  auto c = heddle::make_chan<int>(1);
  heddle::wait_group group;
  EXPECT_EQ(heddle::recover([&] { c.send(1); }), std::nullopt);
  c.close();
  EXPECT_EQ(heddle::recover([&] { c.send(2); }), "heddle: send on a closed channel");
  EXPECT_EQ(heddle::recover([&] { c.close(); }), "heddle: close of a closed channel");
  EXPECT_EQ(heddle::recover([] { heddle::chan<void>().close(); }), "heddle: close of a nil channel");
  EXPECT_TRUE(heddle::recover([&] { group.done(); }));
  EXPECT_THROW(heddle::recover([] { throw std::runtime_error("another"); }), std::runtime_error);
  const heddle::expect_panic here;
  EXPECT_THROW(c.send(3), heddle::panic_error);
  EXPECT_THROW(group.done(), heddle::panic_error);
}

TEST(AfterFunc, CallsOnce) {
  auto called = heddle::make_chan<void>(1);
  heddle::func_timer timer = heddle::after_func(1ms, [called] { called.send(); });
  EXPECT_TRUE(called.receive());
  EXPECT_FALSE(timer.stop());
  EXPECT_FALSE(heddle::try_select(called));
}

TEST(AfterFunc, IsStoppedInTime) {
  std::atomic<int> calls = 0;
  auto timer = heddle::after_func(1h, [&] { ++calls; });
  const heddle::func_timer copy = timer;
  EXPECT_TRUE(copy);
  EXPECT_TRUE(timer.stop());
  EXPECT_FALSE(timer.stop());
  EXPECT_EQ(calls, 0);
}

TEST(AfterFunc, CanBeReset) {
  auto called = heddle::make_chan<void>(1);
  auto timer = heddle::after_func(1h, [called, moved = std::make_unique<int>(1)] { called.send(); });
  EXPECT_TRUE(timer.reset(1ms));
  called.receive();
  EXPECT_FALSE(timer.reset(1h));
  EXPECT_TRUE(timer.reset(2h));
  EXPECT_TRUE(timer.stop());
  EXPECT_FALSE(timer.reset(1ms));
  called.receive();
}

TEST(AfterFunc, EitherIsStoppedOrRuns) {
  for (int i = 0; i < 300; ++i) {
    auto called = heddle::make_chan<void>(1);
    auto ran = std::make_shared<std::atomic<bool>>(false);
    auto timer = heddle::after_func(std::chrono::microseconds(i), [called, ran] {
      *ran = true;
      called.send();
    });
    if (i % 2 != 0) std::this_thread::yield();
    if (timer.stop()) EXPECT_FALSE(*ran);
    else EXPECT_TRUE(called.receive() && *ran);
  }
}

TEST(AfterFunc, MayBeEmptyAndDropped) {
  heddle::func_timer none;
  EXPECT_FALSE(none || none.stop());
  EXPECT_THROW(none.reset(1s), std::logic_error);
  auto called = heddle::make_chan<void>();
  none = heddle::after_func(1ms, [called] { called.send(); });
  none = heddle::func_timer();
  EXPECT_TRUE(called.receive());  // although no handle is left
}

}  // namespace
}  // namespace channels_test
