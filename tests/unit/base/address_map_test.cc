// The runtime's hash map against the standard's: over many emptyings, with keys that come again and keys that never do.
#include "base/address_map.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <unordered_map>

namespace heddle::rt {
namespace {

void compare_over(uint64_t different_keys, int epochs, int operations, uint64_t seed) {
  AddressMap map;
  map.initialise(4);
  std::mt19937_64 random(seed);
  uint64_t offset = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::unordered_map<uint64_t, uint32_t> expected;
    if (epoch % 7 == 6) offset += different_keys * 8;  // none of the keys before
    for (int i = 0; i < operations; ++i) {
      const uint64_t key = offset + 8 * (1 + random() % different_keys);
      const auto known = expected.find(key);
      if (random() % 3 == 0) {
        const uint32_t* found = map.find(key);
        ASSERT_EQ(found != nullptr, known != expected.end());
        if (found != nullptr) ASSERT_EQ(*found, known->second);
        continue;
      }
      bool inserted;
      uint32_t& value = map.find_or_insert(key, inserted);
      ASSERT_EQ(inserted, known == expected.end());
      ASSERT_EQ(value, inserted ? 0 : known->second) << "a value of an earlier epoch";
      expected[key] = value = static_cast<uint32_t>(random()) | 1;
      ASSERT_EQ(map.size(), expected.size());
    }
    for (const auto& [key, value] : expected) ASSERT_EQ(*map.find(key), value);
    map.clear();
    ASSERT_EQ(map.size(), 0u);
    for (const auto& [key, value] : expected) ASSERT_EQ(map.find(key), nullptr);
  }
}

TEST(AddressMap, FewKeysThatComeAgain) { compare_over(5, 200, 40, 1); }
TEST(AddressMap, ManyKeys) { compare_over(3000, 20, 4000, 2); }
TEST(AddressMap, KeysThatNeverComeAgain) { compare_over(1ull << 40, 100, 60, 3); }

}  // namespace
}  // namespace heddle::rt
