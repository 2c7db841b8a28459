// What a run compared, put into its data bytes: the payload before, the comparisons, the payload after.
#include "mutator/operators/operator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/mutator/parent.h"

namespace heddle::mutator {
namespace {

Comparison numbers(uint16_t place, uint8_t size, uint64_t seen, uint64_t other, ComparisonKind kind = ComparisonKind::constant, uint8_t nth = 0) {
  Comparison c{};
  c.place = place;
  c.kind = static_cast<uint8_t>(kind);
  c.nth = nth;
  c.near = Comparison::kNowhere;
  c.size[0] = c.size[1] = size;
  std::memcpy(c.side[0], &seen, size);
  std::memcpy(c.side[1], &other, size);
  return c;
}

Comparison strings(const std::string& seen, const std::string& other) {
  Comparison c{};
  c.kind = static_cast<uint8_t>(ComparisonKind::strings);
  c.size[0] = static_cast<uint8_t>(seen.size());
  c.size[1] = static_cast<uint8_t>(other.size());
  std::memcpy(c.side[0], seen.data(), seen.size());
  std::memcpy(c.side[1], other.data(), other.size());
  return c;
}

std::multiset<std::string> children(const std::string& payload, std::vector<Comparison> comparisons, size_t room = 64, uint64_t reads = 0) {
  std::multiset<std::string> out;
  const Options options;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed);
    SeenCounts seen;
    Schedule s;
    s.payload.assign(payload.begin(), payload.end());
    const Schedule before = s;
    Context c{s, nullptr, {}, rng, seen, options, nullptr, room};
    c.payload_reads = reads;
    c.comparisons = comparisons;
    if (input_to_state(c)) {
      EXPECT_NE(s.payload, before.payload);
      EXPECT_LE(s.payload.size(), room);
      out.insert(std::string(s.payload.begin(), s.payload.end()));
    } else {
      EXPECT_EQ(s, before);
    }
  }
  return out;
}

TEST(InputToState, PutsTheConstantInThePlaceOfAByte) {
  EXPECT_GT(children("abcdef", {numbers(1, 1, 'c', 'H')}).count("abHdef"), 200u);
  EXPECT_GT(children("abcdef", {numbers(1, 4, 'c', 'H')}).count("abHdef"), 200u);  // as an int
}

TEST(InputToState, OrWhatIsNextToIt) {
  const auto c = children("abcdef", {numbers(1, 1, 'c', 'H')});
  EXPECT_GT(c.count("abGdef"), 5u);  // the next one behind H, seen from c
}

TEST(InputToState, NumbersHaveEitherByteOrder) {
  const auto little = children("..\x01\x02..", {numbers(1, 2, 0x0201, 0x4142)});
  EXPECT_GT(little.count("..BA.."), 100u);
  const auto big = children("..\x01\x02..", {numbers(1, 2, 0x0102, 0x4142)});
  EXPECT_GT(big.count("..AB.."), 100u);
  // Promoted, and moved to the left.
  EXPECT_GT(children("..\x01\x02..", {numbers(1, 4, 0x0102, 0x4142)}).count("..AB.."), 100u);
  EXPECT_GT(children("..\x01\x02..", {numbers(1, 8, 0x020100000000, 0x424100000000)}).count("..AB.."), 100u);
}

TEST(InputToState, NegativeNumbersFitIntoTheirWidth) {
  EXPECT_GT(children("ab\x03", {numbers(1, 4, 3, 0xFFFFFFFE)}).count("ab\xFE"), 100u);
}

TEST(InputToState, ADigitStandsForItsValue) {
  // c - '0' == 3, as parsers of text have it; what stood there need not have been a digit.
  EXPECT_GT(children("SNAP 7", {numbers(1, 4, 7, 3)}).count("SNAP 3"), 100u);
  EXPECT_GT(children("SNAP x", {numbers(1, 4, 'x' - '0', 3)}).count("SNAP 3"), 100u);
  EXPECT_GT(children("SNAP !", {numbers(1, 4, static_cast<uint32_t>('!' - '0'), 3)}).count("SNAP 3"), 100u);
  EXPECT_EQ(children("SNAP 7", {numbers(1, 4, 7, 1000)}).count("SNAP \x18"), 0u);
}

TEST(InputToState, PrefersTheByteThatWasReadLast) {
  Comparison c = numbers(1, 1, 'a', 'H');
  c.near = 2;
  const auto made = children("aaaaaaaa", {c});
  EXPECT_GT(made.count("aaHaaaaa"), 4 * made.count("Haaaaaaa"));
  EXPECT_GT(made.count("Haaaaaaa"), 0u);
}

TEST(InputToState, LeavesAloneWhatWasNotRead) {
  for (const std::string& s : children("aa", {numbers(1, 1, 'a', 'H')}, 2, 1u << 1)) {
    if (s.size() == 2 && s[0] == 'H') EXPECT_EQ(s[1], 'a');  // the dictionary may put it anywhere
  }
  EXPECT_GT(children("aa", {numbers(1, 1, 'a', 'H')}, 2, 1u << 1).count("aH"), 200u);
}

TEST(InputToState, GivesThePayloadTheSizeThatWasAskedFor) {
  int eight = 0, nine = 0;
  for (const std::string& s : children("", {numbers(1, 8, 0, 8)})) eight += s.size() == 8, nine += s.size() == 9;
  EXPECT_GT(eight, 100);
  EXPECT_GT(nine, 100);  // more than eight may have been asked for
  for (const std::string& s : children("", {numbers(1, 8, 0, 8)}, 4)) EXPECT_LE(s.size(), 4u);
}

TEST(InputToState, AnyConstantOfASwitchGoesWithAnyOfItsValues) {
  const auto c = children("xy", {numbers(1, 1, 'x', 'A'), numbers(1, 1, 'x', 'B', ComparisonKind::constant, 1),
                                 numbers(1, 1, 'y', 'A', ComparisonKind::constant, 2)});
  for (const char* s : {"Ay", "By", "xA", "xB"}) EXPECT_GT(c.count(s), 10u) << s;
}

TEST(InputToState, EachPlaceHasItsShare) {
  std::vector<Comparison> all{numbers(1, 1, 'x', 'H')};
  for (uint8_t i = 0; i < 12; ++i) all.push_back(numbers(2, 1, 'y', static_cast<uint64_t>('a' + i), ComparisonKind::variables, i));
  EXPECT_GT(children("xy", all).count("Hy"), 80u);
}

TEST(InputToState, PutsWordsInThePlaceOfWords) {
  const auto c = children("go now\n", {strings("go", "halt")});
  EXPECT_GT(c.count("halt now\n"), 30u);
  EXPECT_GT(c.count("haltow\n"), 30u);
}

TEST(InputToState, WhatCorrespondsToNothingIsADictionary) {
  const auto c = children("abc", {numbers(1, 4, 77, 'H')});
  int with = 0;
  for (const std::string& s : c) with += s.find('H') != std::string::npos;
  EXPECT_GT(with, 100);
}

TEST(InputToState, NeedsComparisonsAndRoom) {
  EXPECT_TRUE(children("abc", {}).empty());
  EXPECT_TRUE(children("abc", {numbers(1, 1, 'c', 'H')}, 0).empty());
}

TEST(JoinPayloads, OneBehindOrWithinTheOther) {
  std::multiset<std::string> out;
  const Options options;
  const std::string other = "uvw";
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed);
    SeenCounts seen;
    Schedule s;
    s.payload = {'a', 'b'};
    Context c{s, nullptr, {}, rng, seen, options, nullptr, 5};
    EXPECT_FALSE(join_payloads(c));
    c.other_payload = {reinterpret_cast<const uint8_t*>(other.data()), other.size()};
    ASSERT_TRUE(join_payloads(c));
    out.insert(std::string(s.payload.begin(), s.payload.end()));
  }
  for (const char* s : {"abuvw", "uvwab", "auvwb", "abw"}) EXPECT_GT(out.count(s), 5u) << s;
}

}  // namespace
}  // namespace heddle::mutator
