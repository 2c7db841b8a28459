// Which random byte tells executions with a finding from those without it.
#include "harness/cli/random_bytes.h"

#include <gtest/gtest.h>

#include "schema/random_words.h"

namespace heddle::cli {
namespace {

const std::vector<ThreadId> kThreads = {kMainThread, child_thread(kMainThread, 0)};

// The finding comes if `holds` of the seed.
template <typename Holds>
std::vector<RandomByte> bytes_for(size_t executions, const Holds& holds) {
  std::vector<SeedOutcome> outcomes;
  uint64_t first = 0;
  for (uint64_t seed = 1; seed <= executions; ++seed) {
    outcomes.push_back({seed, holds(seed)});
    if (first == 0 && outcomes.back().found) first = seed;
  }
  return telling_bytes(outcomes, kThreads, first);
}

TEST(RandomBytes, AByteOfAWordIsFound) {
  const auto byte = [](uint64_t seed) {
    return static_cast<uint8_t>(random_word(seed, kThreads[1], 3) >> 40);
  };
  const auto found = bytes_for(1000, [&](uint64_t seed) { return byte(seed) % 32 == 7; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].thread, kThreads[1]);
  EXPECT_EQ(found[0].draw, 3u);
  EXPECT_FALSE(found[0].of_file);
  EXPECT_EQ(found[0].position, 5u);
  EXPECT_EQ(found[0].value % 32, 7);
  EXPECT_EQ(found[0].findings + found[0].others, 1000u);
  for (const uint8_t value : found[0].with) EXPECT_EQ(value % 32, 7);
}

TEST(RandomBytes, AByteOfAFileIsFound) {
  const auto found = bytes_for(1000, [](uint64_t seed) {
    return (next_word_of_file(next_word_of_file(random_word(seed, kMainThread, 17))) >> 8 & 0xff) <
           9;
  });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].thread, kMainThread);
  EXPECT_EQ(found[0].draw, 17u);
  EXPECT_TRUE(found[0].of_file);
  EXPECT_EQ(found[0].position, 9u);
}

TEST(RandomBytes, ChanceIsNoReason) {
  EXPECT_TRUE(bytes_for(1000, [](uint64_t seed) { return seed % 30 == 3; }).empty());
  // So few executions that some byte always seems to tell.
  EXPECT_TRUE(bytes_for(20, [](uint64_t seed) { return seed == 3; }).empty());
  EXPECT_FALSE(tells_from_chance(1, 20, 2));
  EXPECT_FALSE(tells_from_chance(0, 5000, 2));
  EXPECT_TRUE(tells_from_chance(10, 900, 2));
}

}  // namespace
}  // namespace heddle::cli
