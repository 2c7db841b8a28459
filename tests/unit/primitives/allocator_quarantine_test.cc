// The quarantine of the allocator's shims: what goes in, and when it comes out. MemoryScript tests that its blocks are not reallocated.
#include "heap/quarantine.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>

#include <functional>

#include "controlled_run.h"
#include "heap/bad_free.h"
#include "memory_calls.h"

namespace heddle::test {
namespace {

using rt::quarantine;
using rt::Quarantine;

void* get(size_t size) { return reinterpret_cast<void*>(call(0, Do::allocate, nullptr, nullptr, size, 0)); }
void* resize(void* block, size_t size) { return reinterpret_cast<void*>(call(1, Do::reallocate, block, nullptr, size, 0)); }
void give(void* block) { call(2, Do::free, block, nullptr, 0, 0); }

// On a thread that has company, unless `alone`.
void run_with(bool held, const std::function<void()>& body, bool alone = false) {
  uint64_t seed = 1;
  while (Quarantine::chosen(seed) != held) ++seed;
  run_seed(seed, [&] {
    if (alone) return body();
    pthread_t other;
    pthread_create(&other, nullptr, [](void* nothing) { return nothing; }, nullptr);
    body();
    pthread_join(other, nullptr);
  });
  EXPECT_EQ(quarantine().blocks(), 0u);
}

// How many blocks are in it after `body`.
size_t blocks_after(bool held, const std::function<void()>& body, bool alone = false) {
  size_t blocks = 0;
  run_with(held, [&] {
    body();
    blocks = quarantine().blocks();
  }, alone);
  return blocks;
}

TEST(HeldBlocks, AreThoseThatManyThreadsMayKnow) {
  const auto frees = [] { give(get(1000)); };
  EXPECT_EQ(blocks_after(true, frees), 1u);
  EXPECT_EQ(blocks_after(false, frees), 0u);
  EXPECT_EQ(blocks_after(true, frees, true), 0u);
  EXPECT_EQ(blocks_after(true, [] { give(get(70'000)); }), 1u);
  EXPECT_EQ(blocks_after(true, [] { give(get(1'100'000)); }), 0u);
  EXPECT_EQ(blocks_after(true, [] { resize(get(1000), 0); }), 1u);
  EXPECT_EQ(blocks_after(true, [] { give(reinterpret_cast<void*>(call(3, Do::aligned, nullptr, nullptr, 1000, 0))); }), 1u);
}

TEST(HeldBlocks, AreWhatReallocLeaves) {
  size_t moved = 0, cut = 0;
  bool kept = false;
  run_with(true, [&] {
    auto* const first = static_cast<char*>(get(100));
    for (int i = 0; i < 100; ++i) first[i] = static_cast<char>(i);
    auto* const second = static_cast<char*>(resize(first, 200));
    kept = second != first;
    for (int i = 0; i < 100; ++i) kept &= second[i] == i && first[i] == i;
    moved = quarantine().blocks();
    kept &= resize(second, 150) == second;
    cut = quarantine().blocks();
    give(second);
  });
  EXPECT_EQ(moved, 1u);
  EXPECT_EQ(cut, 1u);
  EXPECT_TRUE(kept);
}

TEST(HeldBlocks, AreTheAllocatorsStill) {
  bool same = false;
  run_with(true, [&] {
    void* const block = get(1000);
    const size_t size = malloc_usable_size(block);
    give(block);
    same = malloc_usable_size(block) == size && quarantine().bytes() == size;
    malloc_trim(0);
  });
  EXPECT_TRUE(same);
}

TEST(HeldBlocks, GoBackRatherThanThatMemoryRunsOut) {
  bool none = false;
  EXPECT_EQ(blocks_after(true, [&] {
    give(get(1000));
    none = get(SIZE_MAX / 4) == nullptr;
  }), 0u);
  EXPECT_TRUE(none);
  void* block = nullptr;
  EXPECT_EQ(blocks_after(true, [&] {
    give(get(1000));
    block = get(100);
    none = resize(block, SIZE_MAX / 4) == nullptr;  // and it lives on
    give(block);
  }), 1u);
  EXPECT_TRUE(none);
}

TEST(HeldBlocks, FreedTwiceAreFreedOnce) {
  static int twice = 0;
  int found = 0;
  run_with(true, [&] {
    twice = 0;
    rt::g_bad_free_sink = [](const rt::BadFreeReport& bad) { twice += bad.what == rt::BadFree::twice; };
    void* const block = get(1000);
    give(block);
    give(get(1000));
    give(block);
    found = twice;
  });
  rt::g_bad_free_sink = nullptr;
  EXPECT_GE(found, 1);
}

}  // namespace
}  // namespace heddle::test
