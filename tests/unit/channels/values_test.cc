// Values: each arrives once, unchanged, with any type; none is lost or destroyed twice, also
// when its move throws.
#include <gtest/gtest.h>
#include <heddle/chan.h>
#include <heddle/select.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "tests/unit/channels/waiting.h"

namespace channels_test {

// Counts the objects that live, and notices one that was moved by copying its bytes.
struct Counted {
  static inline int alive = 0;
  const Counted* self = this;
  int number;
  explicit Counted(int n) : number(n) { ++alive; }
  Counted(const Counted& other) : number(other.number) { ++alive; }
  Counted(Counted&& other) noexcept : number(std::exchange(other.number, -1)) { ++alive; }
  Counted& operator=(Counted&& other) noexcept {
    number = std::exchange(other.number, -1);
    return *this;
  }
  ~Counted() {
    EXPECT_EQ(self, this);
    --alive;
  }
};

// The same, of a type that says that bytes may be copied.
struct Bytes {
  static inline int alive = 0;
  int number;
  explicit Bytes(int n) : number(n) { ++alive; }
  Bytes(Bytes&& other) noexcept : number(std::exchange(other.number, -1)) { ++alive; }
  Bytes& operator=(Bytes&& other) noexcept {
    number = std::exchange(other.number, -1);
    return *this;
  }
  ~Bytes() { --alive; }
};

// The n-th move of any object throws.
struct Fragile {
  static inline int alive = 0;
  static inline int moves_left = -1;
  int number;
  explicit Fragile(int n) : number(n) { ++alive; }
  Fragile(const Fragile& other) : number(other.number) { count(); }
  Fragile(Fragile&& other) : number(other.number) {
    count();
    other.number = -1;
  }
  Fragile& operator=(const Fragile&) = default;
  ~Fragile() { --alive; }
  static void count() {
    if (moves_left == 0) throw std::runtime_error("no");
    --moves_left;
    ++alive;
  }
};

struct alignas(64) Wide {
  std::array<char, 192> text{};
};

}  // namespace channels_test

template <>
struct heddle::relocatable<channels_test::Bytes> : std::true_type {};

namespace channels_test {
namespace {

using heddle::make_chan;
using heddle::relocatable;

struct Empty {};
struct OwnDeleter {
  std::string name;
  void operator()(int* p) const { delete p; }
};
static_assert(relocatable<int>::value && relocatable<Wide>::value && relocatable<Empty>::value);
static_assert(relocatable<std::pair<int, char>>::value);
static_assert(relocatable<std::unique_ptr<std::string>>::value);
static_assert(relocatable<std::unique_ptr<int, void (*)(int*)>>::value);
static_assert(!relocatable<std::unique_ptr<int, OwnDeleter>>::value);
static_assert(relocatable<std::shared_ptr<int>>::value && relocatable<std::weak_ptr<int>>::value);
static_assert(relocatable<heddle::chan<std::string>>::value);
static_assert(!relocatable<std::string>::value && !relocatable<Counted>::value);

template <class T>
class Values : public testing::Test {};
using Kinds = testing::Types<Counted, Bytes>;
TYPED_TEST_SUITE(Values, Kinds);

TYPED_TEST(Values, EachIsReceivedOnceAndDestroyed) {
  ASSERT_EQ(TypeParam::alive, 0);
  {
    auto c = make_chan<TypeParam>(2);
    for (int i = 0; i < 7; ++i) {
      c.send(TypeParam(i));
      EXPECT_EQ(TypeParam::alive, 1);
      EXPECT_EQ(c.receive()->number, i);
      EXPECT_EQ(TypeParam::alive, 0);
    }
    std::jthread sender([&] { c.send(TypeParam(8)); });
    EXPECT_EQ(c.receive()->number, 8);
  }
  EXPECT_EQ(TypeParam::alive, 0);
}

TYPED_TEST(Values, WhatIsLeftIsDestroyedWithTheChannel) {
  {
    auto c = make_chan<TypeParam>(3);
    for (int i = 0; i < 2; ++i) {
      c.send(TypeParam(0));
      c.receive();
    }
    for (int i = 0; i < 3; ++i) c.send(TypeParam(i));  // over the buffer's end
    EXPECT_EQ(TypeParam::alive, 3);
    auto copy = c;
    c = nullptr;
    EXPECT_EQ(TypeParam::alive, 3);
  }
  EXPECT_EQ(TypeParam::alive, 0);
}

TYPED_TEST(Values, WhatDoesNotGoStays) {
  auto c = make_chan<TypeParam>();
  TypeParam value(3);
  EXPECT_FALSE(c.try_send(std::move(value)));
  EXPECT_EQ(value.number, 3);
  c.close();
  EXPECT_THROW(c.try_send(std::move(value)), heddle::channel_error);
  EXPECT_EQ(value.number, 3);
  EXPECT_EQ(TypeParam::alive, 1);
  auto roomy = make_chan<TypeParam>(1);
  EXPECT_TRUE(roomy.try_send(std::move(value)));
  EXPECT_EQ(value.number, -1);
  EXPECT_EQ(roomy.try_receive()->number, 3);
}

TYPED_TEST(Values, ASelectKeepsWhatItDoesNotSend) {
  {
    auto full = make_chan<TypeParam>(), ready = make_chan<TypeParam>(1);
    auto kept = heddle::on_send(full, TypeParam(1));
    EXPECT_EQ(heddle::select(kept, heddle::on_send(ready, TypeParam(2))), 1u);
    ASSERT_NE(kept.value(), nullptr);
    EXPECT_EQ(kept.value()->number, 1);
    EXPECT_EQ(heddle::select(kept, heddle::otherwise()), 1u);
    std::jthread receiver([&] { EXPECT_EQ(full.receive()->number, 1); });
    EXPECT_EQ(heddle::select(kept), 0u);
    EXPECT_EQ(kept.value(), nullptr);
    // Sent: it is never ready again.
    EXPECT_EQ(heddle::select(kept, heddle::otherwise()), 1u);
  }
  EXPECT_EQ(TypeParam::alive, 0);
}

TEST(Values, ACopyIsSentOfWhatIsGivenAsAnLvalue) {
  auto c = make_chan<std::string>(1);
  const std::string text(100, 'x');
  EXPECT_TRUE(c.try_send(text));
  EXPECT_FALSE(c.try_send(text));
  c.receive();
  c.send(text);
  EXPECT_EQ(c.receive(), text);
  EXPECT_EQ(text.size(), 100u);
}

TEST(Values, OfUnusualShape) {
  auto wide = make_chan<Wide>(3);
  for (char x : {'a', 'b', 'c'}) {
    Wide w;
    w.text.fill(x);
    wide.send(w);
  }
  EXPECT_EQ(wide.receive()->text[191], 'a');
  EXPECT_EQ(wide.receive()->text[0], 'b');
  auto empty = make_chan<Empty>(1);
  empty.send({});
  EXPECT_TRUE(empty.receive());
  auto flag = make_chan<bool>(1);
  flag.send(true);
  EXPECT_EQ(flag.receive(), true);
  auto constant = make_chan<std::shared_ptr<const int>>(1);
  constant.send(std::make_shared<int>(5));
  EXPECT_EQ(**constant.receive(), 5);
}

TEST(Values, AnExceptionBeforeTheSendSendsNothing) {
  {
    auto c = make_chan<Fragile>(2);
    Fragile::moves_left = 0;
    EXPECT_THROW(c.send(Fragile(1)), std::runtime_error);
    Fragile value(2);
    Fragile::moves_left = 0;
    EXPECT_THROW(c.try_send(value), std::runtime_error);
    EXPECT_EQ(value.number, 2);
    EXPECT_THROW(c.try_send(std::move(value)), std::runtime_error);
    EXPECT_EQ(value.number, 2);
    Fragile::moves_left = -1;
    EXPECT_EQ(c.size(), 0u);
    c.send(Fragile(3));
    EXPECT_EQ(c.receive()->number, 3);
  }
  EXPECT_EQ(Fragile::alive, 0);
}

TEST(Values, AnExceptionAfterTheReceiveLeavesTheChannelWhole) {
  {
    auto c = make_chan<Fragile>(2);
    Fragile::moves_left = -1;
    c.send(Fragile(1));
    c.send(Fragile(2));
    Fragile::moves_left = 0;
    EXPECT_THROW(c.receive(), std::runtime_error);
    EXPECT_EQ(c.size(), 1u);
    EXPECT_EQ(Fragile::alive, 1);
    std::optional<Fragile> into;
    EXPECT_THROW(c.try_receive(into), std::runtime_error);
    EXPECT_EQ(Fragile::alive, 0);
    Fragile::moves_left = -1;
    c.send(Fragile(3));
    EXPECT_EQ(c.receive()->number, 3);
  }
  EXPECT_EQ(Fragile::alive, 0);
}

}  // namespace
}  // namespace channels_test
