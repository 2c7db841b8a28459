// What each operation of a channel does, on real threads.
#include <gtest/gtest.h>
#include <heddle/chan.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/channels/waiting.h"

namespace channels_test {
namespace {

using heddle::chan;
using heddle::channel_error;
using heddle::make_chan;
using heddle::receive_status;

static_assert(std::is_nothrow_default_constructible_v<chan<int>>);
static_assert(std::is_nothrow_move_constructible_v<chan<int>>);
static_assert(std::is_nothrow_copy_constructible_v<chan<int>>);
static_assert(std::input_iterator<chan<int>::iterator>);
static_assert(std::sentinel_for<std::default_sentinel_t, chan<int>::iterator>);
static_assert(std::is_convertible_v<std::nullptr_t, chan<int>>);
static_assert(!std::is_convertible_v<chan<int>, bool>);
constinit chan<int> at_namespace_scope;

TEST(Channel, BufferedIsAQueue) {
  auto c = make_chan<int>(3);
  EXPECT_EQ(c.capacity(), 3u);
  // Over the end of the buffer several times.
  int next_in = 0, next_out = 0;
  for (int round = 0; round < 10; ++round) {
    while (c.try_send(next_in)) ++next_in;
    EXPECT_EQ(c.size(), 3u);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(c.receive(), next_out++);
    EXPECT_EQ(c.size(), 1u);
  }
  EXPECT_EQ(next_in, 21);
}

TEST(Channel, TryOnAnEmptyOrFullOne) {
  for (size_t capacity : {0, 1, 5}) {
    auto c = make_chan<int>(capacity);
    EXPECT_EQ(c.try_receive(), std::nullopt);
    for (size_t i = 0; i < capacity; ++i) EXPECT_TRUE(c.try_send(1));
    EXPECT_FALSE(c.try_send(1));
    EXPECT_EQ(c.size(), capacity);
  }
}

TEST(Channel, TryMeetsWhoWaits) {
  auto c = make_chan<int>();
  std::jthread receiver([&] { EXPECT_EQ(c.receive(), 7); });
  until_receivers(c, 1);
  EXPECT_TRUE(c.try_send(7));
  std::jthread sender([&] { c.send(8); });
  until_senders(c, 1);
  EXPECT_EQ(c.try_receive(), 8);
}

TEST(Channel, TryReceiveTellsEmptyFromClosed) {
  auto c = make_chan<int>(1);
  std::optional<int> value = 5;
  EXPECT_EQ(c.try_receive(value), receive_status::empty);
  EXPECT_EQ(value, std::nullopt);
  c.send(6);
  c.close();
  EXPECT_EQ(c.try_receive(value), receive_status::value);
  EXPECT_EQ(value, 6);
  EXPECT_EQ(c.try_receive(value), receive_status::closed);
  EXPECT_EQ(value, std::nullopt);
  EXPECT_EQ(c.try_receive(), std::nullopt);
}

TEST(Channel, UnbufferedSenderWaitsForItsReceiver) {
  auto c = make_chan<int>();
  std::atomic<bool> sent = false;
  std::jthread sender([&] {
    c.send(1);
    sent = true;
  });
  until_senders(c, 1);
  EXPECT_FALSE(sent);
  EXPECT_EQ(c.size(), 0u);
  EXPECT_EQ(c.receive(), 1);
  sender.join();
  EXPECT_TRUE(sent);
}

TEST(Channel, ReceiversAreServedInTheOrderInWhichTheyCame) {
  for (size_t capacity : {0, 2}) {
    auto c = make_chan<int>(capacity);
    std::vector<std::optional<int>> got(5);
    std::vector<std::jthread> receivers;
    for (int i = 0; i < 5; ++i) {
      receivers.emplace_back([&, i] { got[i] = c.receive(); });
      until_receivers(c, i + 1);
    }
    for (int i = 0; i < 5; ++i) {
      EXPECT_TRUE(c.try_send(i));
      until_receivers(c, 4 - i);
    }
    receivers.clear();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(got[i], i);
  }
}

TEST(Channel, SendersAreServedInTheOrderInWhichTheyCame) {
  for (size_t capacity : {0, 2}) {
    auto c = make_chan<int>(capacity);
    for (size_t i = 0; i < capacity; ++i) c.send(static_cast<int>(i));
    std::vector<std::jthread> senders;
    for (int i = 0; i < 5; ++i) {
      senders.emplace_back([&, i] { c.send(static_cast<int>(capacity) + i); });
      until_senders(c, i + 1);
    }
    for (int i = 0; i < static_cast<int>(capacity) + 5; ++i) EXPECT_EQ(c.receive(), i);
  }
}

TEST(Channel, AReceiveLetsAWaitingSenderIntoTheBuffer) {
  auto c = make_chan<int>(1);
  c.send(1);
  std::jthread sender([&] { c.send(2); });
  until_senders(c, 1);
  EXPECT_EQ(c.receive(), 1);
  sender.join();
  EXPECT_EQ(c.size(), 1u);
  EXPECT_EQ(c.receive(), 2);
}

TEST(Channel, ClosedIsDrainedFirst) {
  auto c = make_chan<int>(3);
  c.send(1);
  c.send(2);
  c.close();
  EXPECT_EQ(c.size(), 2u);
  EXPECT_EQ(c.receive(), 1);
  EXPECT_EQ(c.receive(), 2);
  EXPECT_EQ(c.receive(), std::nullopt);
  EXPECT_EQ(c.receive(), std::nullopt);
}

TEST(Channel, CloseTellsAllWhoWaitToReceive) {
  auto c = make_chan<int>();
  std::atomic<int> told = 0;
  std::vector<std::jthread> receivers;
  for (int i = 0; i < 4; ++i) {
    receivers.emplace_back([&] { told += c.receive() == std::nullopt; });
  }
  until_receivers(c, 4);
  c.close();
  receivers.clear();
  EXPECT_EQ(told, 4);
}

TEST(Channel, CloseThrowsInAllWhoWaitToSend) {
  auto c = make_chan<std::string>(1);
  c.send("first");
  std::atomic<int> thrown = 0;
  std::vector<std::jthread> senders;
  for (int i = 0; i < 4; ++i) {
    senders.emplace_back([&] {
      try {
        c.send("never arrives");
      } catch (const channel_error&) {
        ++thrown;
      }
    });
  }
  until_senders(c, 4);
  c.close();
  senders.clear();
  EXPECT_EQ(thrown, 4);
  EXPECT_EQ(c.receive(), "first");
  EXPECT_EQ(c.receive(), std::nullopt);
}

std::string text_of(void (*f)()) {
  try {
    f();
  } catch (const channel_error& e) {
    return e.what();
  }
  return "nothing thrown";
}

TEST(Channel, MisuseThrowsAndSaysWhat) {
  EXPECT_EQ(text_of([] {
              auto c = make_chan<int>(1);
              c.close();
              c.send(1);
            }),
            "heddle: send on a closed channel");
  EXPECT_EQ(text_of([] {
              auto c = make_chan<int>(1);
              c.close();
              c.try_send(1);
            }),
            "heddle: send on a closed channel");
  EXPECT_EQ(text_of([] {
              auto c = make_chan<int>(1);
              c.close();
              c.close();
            }),
            "heddle: close of a closed channel");
  EXPECT_EQ(text_of([] { chan<int>().close(); }), "heddle: close of a nil channel");
  static_assert(std::is_base_of_v<std::logic_error, channel_error>);
}

TEST(Channel, TooLargeACapacityIsRefused) {
  EXPECT_THROW(make_chan<int>(size_t{1} << 32), std::length_error);
  EXPECT_THROW(make_chan<int>(SIZE_MAX), std::length_error);
  EXPECT_THROW((make_chan<std::array<char, (1ull << 31)>>(UINT32_MAX)), std::length_error);
}

TEST(Channel, NilIsNeverReady) {
  chan<int> nil;
  EXPECT_FALSE(nil);
  EXPECT_FALSE(at_namespace_scope);
  EXPECT_FALSE(nil.try_send(1));
  EXPECT_EQ(nil.try_receive(), std::nullopt);
  std::optional<int> value;
  EXPECT_EQ(nil.try_receive(value), receive_status::empty);
  EXPECT_EQ(nil.size(), 0u);
  EXPECT_EQ(nil.capacity(), 0u);
}

TEST(Channel, NilBlocksForEver) {
  // They outlive the test: nothing can wake them.
  static std::atomic<int> came = 0, returned = 0;
  std::thread([] {
    ++came;
    chan<int>().receive();
    ++returned;
  }).detach();
  std::thread([] {
    ++came;
    chan<int>().send(1);
    ++returned;
  }).detach();
  while (came != 2) std::this_thread::yield();
  auto other = make_chan<int>();
  for (int i = 0; i < 200; ++i) {
    std::jthread sender([&] { other.send(i); });
    other.receive();
  }
  EXPECT_EQ(returned, 0);
}

TEST(Channel, CopiesAreTheSameChannel) {
  auto a = make_chan<int>(1);
  chan<int> b = a;
  EXPECT_TRUE(a);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a != make_chan<int>(1));
  b.send(4);
  EXPECT_EQ(a.receive(), 4);
  chan<int> c = std::move(b);
  EXPECT_FALSE(b);
  EXPECT_TRUE(a == c);
  b = c;
  EXPECT_TRUE(a == b);
  a = nullptr;
  EXPECT_FALSE(a);
  b.send(5);
  b = std::move(c);
  EXPECT_EQ(b.receive(), 5);
  b = *&b;
  b.send(6);
  EXPECT_EQ(b.receive(), 6);
}

TEST(Channel, RangeForEndsWhenItIsClosedAndDrained) {
  auto c = make_chan<std::unique_ptr<int>>(2);
  std::jthread sender([c] {
    for (int i = 1; i <= 100; ++i) c.send(std::make_unique<int>(i));
    c.close();
  });
  int sum = 0, seen = 0;
  for (std::unique_ptr<int>& p : c) {
    sum += *p;
    if (++seen == 10) break;
  }
  EXPECT_EQ(sum, 55);
  for (auto p = c.begin(); p != c.end(); p++) sum += **p;
  EXPECT_EQ(sum, 5050);
}

TEST(Channel, ItsIteratorWorksWithAlgorithms) {
  auto c = make_chan<int>(4);
  for (int i : {3, 1, 2}) c.send(i);
  c.close();
  std::vector<int> all;
  std::ranges::copy(c.begin(), c.end(), std::back_inserter(all));
  EXPECT_EQ(all, (std::vector<int>{3, 1, 2}));
}

TEST(Channel, OneOfChannels) {
  auto requests = make_chan<chan<std::string>>(1);
  std::jthread server([requests] {
    for (auto& answer : requests) answer.send("yes");
  });
  auto answer = make_chan<std::string>();
  requests.send(answer);
  EXPECT_EQ(answer.receive(), "yes");
  requests.close();
}

}  // namespace
}  // namespace channels_test
