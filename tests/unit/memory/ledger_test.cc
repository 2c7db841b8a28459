#include "memory/ledger.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <thread>
#include <vector>

namespace heddle::rt {
namespace {

void* block(uint32_t n) { return reinterpret_cast<void*>(0x10000 + 16ull * n); }

std::set<void*> g_visited;

RC_GTEST_PROP(Ledger, AgreesWithAMap, (const std::vector<std::pair<uint8_t, bool>>& steps)) {
  ledger::begin();
  std::map<void*, size_t> model;
  for (const auto& [n, born] : steps) {
    void* const b = block(n);
    if (born) {
      ledger::allocated(b, n);
      model[b] = n;
    } else {
      RC_ASSERT(ledger::freed(b) == (model.erase(b) == 1));
    }
    size_t bytes = 0;
    for (const auto& [p, size] : model) bytes += size;
    RC_ASSERT(ledger::live_blocks() == model.size());
    RC_ASSERT(ledger::live_bytes() == bytes);
  }
  g_visited.clear();
  ledger::visit([](void* p, size_t, void*) { g_visited.insert(p); }, nullptr);
  RC_ASSERT(g_visited.size() == model.size());
  for (const auto& [p, size] : model) RC_ASSERT(g_visited.count(p) == 1u);
}

TEST(Ledger, GrowsAndForgets) {
  ledger::begin();
  for (uint32_t i = 0; i < 100'000; ++i) ledger::allocated(block(i), 1);
  EXPECT_EQ(ledger::live_blocks(), 100'000u);
  for (uint32_t i = 0; i < 100'000; i += 2) EXPECT_TRUE(ledger::freed(block(i)));
  for (uint32_t i = 1; i < 100'000; i += 2) EXPECT_TRUE(ledger::freed(block(i)));
  ledger::allocated(block(7), 1);
  ledger::begin();
  EXPECT_FALSE(ledger::freed(block(7)));
}

TEST(Ledger, ForeignThreadsDoNotTouchIt) {
  ledger::begin();
  ledger::allocated(block(1), 1);
  std::thread([] { EXPECT_FALSE(ledger::freed(block(1))); }).join();
  EXPECT_TRUE(ledger::freed(block(1)));
}

}  // namespace
}  // namespace heddle::rt
