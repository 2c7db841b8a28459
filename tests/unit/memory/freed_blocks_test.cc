#include "memory/freed_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <thread>
#include <vector>

#include "memory/ledger.h"

namespace heddle::rt {
namespace {

const void* block(uint32_t n) { return reinterpret_cast<const void*>(0x10000 + 16ull * n); }

RC_GTEST_PROP(FreedBlocks, AgreesWithAMap, (const std::vector<std::pair<uint8_t, uint8_t>>& steps)) {
  ledger::admit_thread();
  freed_blocks::begin();
  std::map<const void*, uint32_t> model;
  uint32_t step = 0;
  for (const auto& [n, what] : steps) {
    const void* const b = block(n);
    ++step;
    if (what % 16 == 0) {
      freed_blocks::begin();
      model.clear();
    } else if (what % 2 == 0) {
      freed_blocks::remember(b, {step, step + 1, step + 2});
      model[b] = step;
    } else {
      freed_blocks::reborn(b);
      model.erase(b);
    }
    for (uint32_t i = 0; i < 256; ++i) {
      const freed_blocks::Freed* const f = freed_blocks::find(block(i));
      const auto m = model.find(block(i));
      RC_ASSERT((f != nullptr) == (m != model.end()));
      if (f != nullptr) RC_ASSERT(f->thread == m->second && f->site == m->second + 1 && f->context == m->second + 2);
    }
  }
}

TEST(FreedBlocks, AStrangersBlockMayBeAnyOfThem) {
  ledger::admit_thread();
  freed_blocks::begin();
  freed_blocks::remember(block(1), {});
  std::thread([] { freed_blocks::reborn(block(2)); }).join();
  EXPECT_EQ(freed_blocks::find(block(1)), nullptr);
  freed_blocks::remember(block(3), {});
  EXPECT_NE(freed_blocks::find(block(3)), nullptr);
}

TEST(FreedBlocks, ForgetsRatherThanGrowsWithoutEnd) {
  ledger::admit_thread();
  freed_blocks::begin();
  constexpr uint32_t kMany = (1 << 20) + 5;
  for (uint32_t i = 0; i < kMany; ++i) freed_blocks::remember(block(i), {i, 0, 0});
  EXPECT_EQ(freed_blocks::find(block(0)), nullptr);
  EXPECT_NE(freed_blocks::find(block(kMany - 1)), nullptr);
}

}  // namespace
}  // namespace heddle::rt
