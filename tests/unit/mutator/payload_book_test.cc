// Which data bytes are kept, for how long, and which are drawn.
#include "mutator/knowledge/payload_book.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <string_view>

namespace heddle::mutator {
namespace {

Comparison number(uint16_t place, uint64_t seen, uint64_t wanted) {
  Comparison c{};
  c.place = place;
  c.kind = static_cast<uint8_t>(ComparisonKind::constant);
  c.size[0] = c.size[1] = 8;
  std::memcpy(c.side[0], &seen, 8);
  std::memcpy(c.side[1], &wanted, 8);
  return c;
}

Comparison text(uint16_t place, std::string_view seen, std::string_view wanted) {
  Comparison c{};
  c.place = place;
  c.kind = static_cast<uint8_t>(ComparisonKind::strings);
  c.size[0] = static_cast<uint8_t>(seen.size());
  c.size[1] = static_cast<uint8_t>(wanted.size());
  std::memcpy(c.side[0], seen.data(), seen.size());
  std::memcpy(c.side[1], wanted.data(), wanted.size());
  return c;
}

void learn(PayloadBook& book, std::string_view payload, std::vector<Comparison> comparisons, bool novel = false) {
  book.learn({reinterpret_cast<const uint8_t*>(payload.data()), payload.size()}, 1, comparisons, novel);
}

std::map<std::string, int> drawn(PayloadBook& book, int times = 2000) {
  std::map<std::string, int> out;
  Rng rng(1);
  for (int i = 0; i < times; ++i) {
    if (const auto* known = book.draw(rng)) ++out[std::string(known->bytes.begin(), known->bytes.end())];
  }
  return out;
}

TEST(PayloadBook, IsEmptyUntilItHasLearned) {
  PayloadBook book;
  EXPECT_FALSE(book.read());
  EXPECT_TRUE(drawn(book).empty());
  learn(book, "", {});
  EXPECT_TRUE(book.read());
  EXPECT_TRUE(drawn(book).empty());
}

TEST(PayloadBook, KeepsWhatAComparisonCameToForGood) {
  PayloadBook book;
  learn(book, "Q1", {number(7, 'Q', 'Q')});
  for (int i = 0; i < 500; ++i) learn(book, "x" + std::to_string(i), {number(7, 'x', 'Q')}, true);
  EXPECT_EQ(drawn(book).count("Q1"), 1u) << "though 500 novel ones came after it";
}

TEST(PayloadBook, KeepsTheLatestNovelOnesForAWhile) {
  PayloadBook book;
  for (int i = 0; i < 100; ++i) learn(book, "p" + std::to_string(i), {}, true);
  const auto got = drawn(book);
  EXPECT_EQ(got.size(), 64u);
  EXPECT_EQ(got.count("p0"), 0u);
  EXPECT_EQ(got.count("p99"), 1u);
}

TEST(PayloadBook, AShorterOneTakesTheOutcome) {
  PayloadBook book;
  learn(book, "long Q", {number(7, 'Q', 'Q')});
  learn(book, "longer Q", {number(7, 'Q', 'Q')});
  learn(book, "Q", {number(7, 'Q', 'Q')});
  EXPECT_EQ(drawn(book).size(), 1u);
  EXPECT_EQ(drawn(book).count("Q"), 1u);
}

TEST(PayloadBook, EachConstantAndEachLengthInCommonIsAnOutcome) {
  PayloadBook book;
  learn(book, "a", {number(7, 'R', 'R')});
  learn(book, "b", {number(7, 'C', 'C')});
  learn(book, "c", {text(8, "xx", "keep")});
  learn(book, "d", {text(8, "kx", "keep")});
  learn(book, "e", {text(8, "keep", "keep")});
  learn(book, "f", {text(8, "keepx", "keep")});
  learn(book, "g", {text(9, "ky", "keep")});
  learn(book, "h", {text(9, "kz", "keep")});  // nothing new
  EXPECT_EQ(drawn(book).size(), 7u);
}

// A first word, any line, and a line after the first word: that one is on the way to a second.
TEST(PayloadBook, AnOutcomeBehindAnotherIsOneOfItsOwn) {
  PayloadBook book;
  learn(book, "spawn", {text(7, "spawn", "spawn"), number(8, 1, 0)});
  learn(book, "x", {text(7, "x", "spawn")});
  learn(book, "spawn\nx", {text(7, "spawn", "spawn"), number(8, 1, 0), text(7, "x", "spawn")});
  learn(book, "spawn\nyy", {text(7, "spawn", "spawn"), number(8, 1, 0), text(7, "yy", "spawn")});
  const auto got = drawn(book);
  EXPECT_EQ(got.count("spawn\nx"), 1u);
  EXPECT_EQ(got.size(), 3u) << "the last was longer";
}

TEST(PayloadBook, WhatOneRunComparedIsNotBehindWhatTheRunBeforeDid) {
  PayloadBook book;
  learn(book, "a", {number(7, 'a', 'Q')});
  learn(book, "Q", {number(7, 'Q', 'Q')});
  learn(book, "Q2", {number(7, 'a', 'Q'), number(9, 1, 2)});
  learn(book, "longer", {number(7, 'Q', 'Q')});
  EXPECT_EQ(drawn(book).count("longer"), 0u);
}

TEST(PayloadBook, ANewOneIsDrawnFirstButNotForEver) {
  PayloadBook book;
  learn(book, "old", {number(1, 1, 1)});
  drawn(book, 1000);
  learn(book, "new", {number(2, 1, 1)});
  const auto got = drawn(book, 400);
  EXPECT_GT(got.at("new"), got.at("old"));
  EXPECT_GT(got.at("old"), 100);
}

}  // namespace
}  // namespace heddle::mutator
