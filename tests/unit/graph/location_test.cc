// A location's window against a plain list of all stores, also when the window becomes narrower on the way.
#include "graph/location.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "order/owned_memory.h"

namespace heddle::rt::graph {
namespace {

// Inserts `stores` stores at random places among the readable ones. From `narrow_from` on the window is 2.
void compare_with_a_list(uint32_t seed, uint32_t stores, uint32_t window, uint32_t narrow_from) {
  std::mt19937 rng(seed);
  order::OwnedMemory owned;
  Location x;
  x.begin(1, 0x1000, 8, {0, 0}, owned.memory());
  std::vector<uint64_t> all{0};  // values in modification order; all different
  std::vector<StoreRef> refs{x.ref(0)};
  for (uint32_t n = 1; n <= stores; ++n) {
    const uint32_t now = n < narrow_from ? window : 2;
    const uint32_t position = x.oldest() + 1 + rng() % (x.newest() + 1 - x.oldest());
    x.insert(position, now, owned.memory()).value = {n, 0};
    all.insert(all.begin() + position, n);
    refs.push_back(x.ref(position));
    ASSERT_EQ(x.newest() + 1, all.size());
    for (uint32_t p = x.oldest(); p <= x.newest(); ++p) {
      ASSERT_EQ(x.at(p).value.low, all[p]) << "seed " << seed << ", store " << n << ", position " << p;
    }
    uint32_t kept = 0;
    for (const StoreRef r : refs) {
      if (!x.kept(r)) continue;
      ++kept;
      ASSERT_EQ(all[x.position(r)], x.at(x.position(r)).value.low);
      ASSERT_GE(x.position(r), x.oldest());
    }
    ASSERT_EQ(kept, x.newest() + 1 - x.oldest());
    ASSERT_LE(kept, std::max(now, n < narrow_from + 64 ? window : 2u));
  }
  if (stores > narrow_from + 64) {
    EXPECT_EQ(x.newest() - x.oldest(), 1u);
  }
}

TEST(Location, KeepsTheNewestStores) {
  for (uint32_t seed = 0; seed < 200; ++seed) compare_with_a_list(seed, 100, 1u << (1 + seed % 6), 1000);
}

TEST(Location, KeepsTwoWhenTheWindowBecomesNarrow) {
  for (uint32_t seed = 0; seed < 200; ++seed) compare_with_a_list(seed, 300, 1u << (2 + seed % 5), 1 + seed % 90);
}

}  // namespace
}  // namespace heddle::rt::graph
