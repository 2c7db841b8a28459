#include "heap/heap_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace heddle::rt {
namespace {

const void* block(uint32_t n) { return reinterpret_cast<const void*>(0x10000 + 16ull * n); }

struct Model {
  std::map<const void*, uint32_t> freed;
  std::set<const void*> held;

  void forget_freed() {
    std::erase_if(freed, [this](const auto& f) { return held.count(f.first) == 0; });
  }
  void check() const {
    for (uint32_t i = 0; i < 256; ++i) {
      const Freed* const f = heap_blocks::find_freed(block(i));
      const auto m = freed.find(block(i));
      RC_ASSERT((f != nullptr) == (m != freed.end()));
      if (f != nullptr) RC_ASSERT(f->thread == m->second && f->site == m->second + 1 && f->context == m->second + 2);
    }
  }
};

RC_GTEST_PROP(HeapBlocks, AgreeWithAMap, (const std::vector<std::pair<uint8_t, uint8_t>>& steps)) {
  heap_blocks::begin();
  heap_blocks::begin_execution();
  Model model;
  uint32_t step = 0;
  for (const auto& [n, what] : steps) {
    const void* const b = block(n);
    ++step;
    switch (what % 16) {
      case 0:
        heap_blocks::begin_execution();
        model.forget_freed();
        break;
      case 1:
        heap_blocks::forget(b);
        model.freed.erase(b);
        model.held.erase(b);
        break;
      case 2: case 3: case 5: case 6: case 7: case 8:
        heap_blocks::given_elsewhere(b);
        model.freed.erase(b);
        model.held.erase(b);
        break;
      case 4:
        RC_ASSERT(heap_blocks::let_go(b) == (model.held.erase(b) == 1));
        break;
      default: {
        const bool held = what % 2 == 0;
        const Freed* const before = heap_blocks::freed(b, {.thread = step, .site = step + 1, .context = step + 2}, held);
        RC_ASSERT((before != nullptr) == (model.freed.count(b) == 1));
        if (model.freed.try_emplace(b, step).second && held) model.held.insert(b);
      }
    }
    model.check();
  }
}

TEST(HeapBlocks, ManyComeAndGo) {
  heap_blocks::begin();
  heap_blocks::begin_execution();
  constexpr uint32_t kMany = 100'000;
  for (uint32_t i = 0; i < kMany; ++i) EXPECT_EQ(heap_blocks::freed(block(i), {.thread = 1, .site = i, .context = 0}), nullptr);
  for (uint32_t i = 0; i < kMany; i += 2) heap_blocks::forget(block(i));
  for (uint32_t i = 0; i < kMany; ++i) EXPECT_EQ(heap_blocks::find_freed(block(i)) != nullptr, i % 2 == 1);
  heap_blocks::begin();
  EXPECT_EQ(heap_blocks::find_freed(block(9)), nullptr);
}

TEST(HeapBlocks, ForgetWhatIsFreedRatherThanGrowWithoutEnd) {
  heap_blocks::begin();
  heap_blocks::begin_execution();
  constexpr uint32_t kMany = 1 << 22;
  for (uint32_t i = 10; i < kMany; ++i) heap_blocks::freed(block(i), {.thread = 1, .site = i, .context = 0});
  EXPECT_EQ(heap_blocks::find_freed(block(10)), nullptr);
  EXPECT_NE(heap_blocks::find_freed(block(kMany - 1)), nullptr);
}

// All that they could know is whether they have been given something that was freed.
TEST(HeapBlocks, ForeignThreadsHaveNoPartInIt) {
  heap_blocks::begin();
  heap_blocks::begin_execution();
  heap_blocks::freed(block(4), {});
  heap_blocks::freed(block(5), {}, true);
  std::thread([] {
    EXPECT_EQ(heap_blocks::freed(block(1), {}), nullptr);
    heap_blocks::forget(block(4));
  }).join();
  EXPECT_EQ(heap_blocks::find_freed(block(1)), nullptr);
  EXPECT_NE(heap_blocks::find_freed(block(4)), nullptr);
  std::thread([] { heap_blocks::given_elsewhere(block(2)); }).join();
  EXPECT_EQ(heap_blocks::find_freed(block(4)), nullptr);
  EXPECT_NE(heap_blocks::find_freed(block(5)), nullptr);  // the allocator has not had it
  EXPECT_TRUE(heap_blocks::let_go(block(5)));
  heap_blocks::freed(block(3), {});
  EXPECT_NE(heap_blocks::find_freed(block(3)), nullptr);
}

}  // namespace
}  // namespace heddle::rt
