#include "base/reserved_array.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>

namespace heddle::rt {
namespace {

uintptr_t place(const ReservedArray<uint64_t>& array) { return reinterpret_cast<uintptr_t>(array.data()); }

// Lines of the cache: arrays that all began at the same place of a page would have a few sets of it for themselves.
TEST(ReservedArray, BeginAtDifferentPlacesOfTheirPages) {
  ReservedArray<uint64_t> arrays[16];
  std::set<uintptr_t> in_page;
  for (auto& array : arrays) {
    array.reserve(1000);
    EXPECT_EQ(place(array) % 64, 0u);
    in_page.insert(place(array) % 4096);
  }
  EXPECT_EQ(in_page.size(), std::size(arrays));
  for (auto& array : arrays) array.give_back();
}

TEST(ReservedArray, HoldsAsMuchAsWasAskedFor) {
  for (const size_t capacity : {1ul, 511ul, 512ul, 513ul, 100'000ul}) {
    ReservedArray<uint64_t> array;
    array.reserve(capacity);
    for (uint64_t i = 0; !array.full(); ++i) array.push() = i;
    EXPECT_EQ(array.size(), capacity);
    for (size_t i = 0; i < capacity; ++i) ASSERT_EQ(array[i], i);
    array.give_back();
  }
}

TEST(ReservedArray, WhatIsGivenBackIsGone) {
  ReservedArray<uint64_t> array;
  array.reserve(5000);
  for (size_t i = 0; i < 5000; ++i) array.push() = i;
  const uintptr_t begin = place(array) & ~uintptr_t{4095}, end = place(array) + 5000 * sizeof(uint64_t);
  array.give_back();
  EXPECT_EQ(array.capacity(), 0u);
  unsigned char resident;
  for (uintptr_t page = begin; page < end; page += 4096) {
    EXPECT_NE(mincore(reinterpret_cast<void*>(page), 1, &resident), 0) << "a page is still mapped";
  }
  array.reserve(10);
  array.push() = 7;
  EXPECT_EQ(array[0], 7u);
  array.give_back();
}

// Does the mapping of the address ask for large pages?
bool asks_for_large_pages(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<uintptr_t>(address);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin, end;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) here = begin <= at && at < end;
    if (here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

// A small execution touches the begin of many arrays. With large pages there, it would pay for megabytes that it does not use.
TEST(ReservedArray, HasLargePagesBehindItsBegin) {
  if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) GTEST_SKIP() << "this kernel has none";
  ReservedArray<uint64_t> array;
  array.reserve(size_t{8} << 20);
  EXPECT_FALSE(asks_for_large_pages(array.data()));
  EXPECT_FALSE(asks_for_large_pages(array.data() + (1 << 18) - 1));  // 2 MiB
  EXPECT_TRUE(asks_for_large_pages(array.data() + (1 << 19)));       // 4 MiB
  EXPECT_TRUE(asks_for_large_pages(array.data() + array.capacity() - 1024));
}

}  // namespace
}  // namespace heddle::rt
