#include "heap/shared_views.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace heddle::rt {
namespace {

constexpr uintptr_t kPage = 4096, kBegin = uintptr_t{1} << 40;
constexpr int kReadWrite = PROT_READ | PROT_WRITE;

using Content = std::pair<uint64_t, uint64_t>;  // a page of a file

// What each page shows, and where what is known of it lies.
struct Model {
  std::map<uintptr_t, Content> shows;
  std::map<uintptr_t, Content> known;
};
Model* g_model = nullptr;

void moved(uintptr_t from, uintptr_t to, size_t size) {
  for (uintptr_t at = 0; at < size; at += kPage) {
    const auto found = g_model->known.find(from + at);
    ASSERT_NE(found, g_model->known.end());
    ASSERT_TRUE(g_model->known.emplace(to + at, found->second).second);
    g_model->known.erase(from + at);
  }
}

class SharedViewsTest : public ::testing::Test {
 protected:
  SharedViewsTest() {
    g_model = &model;
    views.initialise(moved);
  }

  void map(uintptr_t at, size_t pages, uint64_t file, uint64_t offset, int protection = kReadWrite) {
    unmap(at, pages);
    const uintptr_t begin = kBegin + at * kPage;
    for (size_t i = 0; i < pages; ++i) model.shows[begin + i * kPage] = {file, offset + i};
    // A page that was not there is known where it comes first.
    for (size_t i = 0; i < pages; ++i) {
      const Content content{file, offset + i};
      bool there = false;
      for (const auto& [address, known] : model.known) there = there || known == content;
      if (!there) model.known[begin + i * kPage] = content;
    }
    views.add(begin, begin + pages * kPage, {1, file}, offset * kPage, protection);
    check();
  }
  void unmap(uintptr_t at, size_t pages) {
    const uintptr_t begin = kBegin + at * kPage, end = begin + pages * kPage;
    model.shows.erase(model.shows.lower_bound(begin), model.shows.lower_bound(end));
    views.end(begin, end);
    std::erase_if(model.known, [&](const auto& known) {
      for (const auto& [address, content] : model.shows) {
        if (content == known.second) return false;
      }
      return true;
    });
    check();
  }
  void check() {
    bool any = false;
    for (const auto& [address, content] : model.shows) {
      const uintptr_t home = views.home(address + 8) - 8;
      any = any || home != address;
      ASSERT_EQ(model.shows.count(home), 1u);
      ASSERT_EQ(model.shows[home], content);
      ASSERT_EQ(model.known[home], content);
      size_t others = 0;
      for (const auto& [other, same] : model.shows) others += same == content;
      if (others > 1) ASSERT_TRUE(views.seen_elsewhere(address, address + kPage));
    }
    ASSERT_EQ(views.any(), any);
    ASSERT_EQ(views.home(kBegin - 1), kBegin - 1);
  }

  Model model;
  SharedViews views;
};

TEST_F(SharedViewsTest, TheFirstViewIsTheHomeAndTheNextWhenItIsGone) {
  map(0, 4, 1, 0);
  EXPECT_FALSE(views.any());
  map(10, 4, 1, 0);
  EXPECT_EQ(views.home(kBegin + 10 * kPage + 5), kBegin + 5);
  unmap(1, 1);
  EXPECT_EQ(views.home(kBegin + 11 * kPage), kBegin + 11 * kPage);
  EXPECT_EQ(views.home(kBegin + 12 * kPage), kBegin + 2 * kPage);
}

TEST_F(SharedViewsTest, AViewThatCanBeWrittenIsTheBetterHome) {
  map(0, 2, 1, 0, PROT_READ);
  map(10, 2, 1, 1);
  EXPECT_EQ(views.home(kBegin + 1 * kPage), kBegin + 10 * kPage);
  EXPECT_EQ(views.home(kBegin), kBegin);
}

TEST_F(SharedViewsTest, ARangeOverSeveralViewsIsGivenInParts) {
  map(0, 1, 1, 1);
  map(10, 2, 1, 0);
  std::vector<std::pair<uintptr_t, size_t>> parts;
  views.each_home(kBegin + 10 * kPage + 8, 3 * kPage, [&](uintptr_t home, size_t size) { parts.emplace_back(home, size); });
  const std::vector<std::pair<uintptr_t, size_t>> expected = {
      {kBegin + 10 * kPage + 8, kPage - 8}, {kBegin, kPage}, {kBegin + 12 * kPage, kPage + 8}};
  EXPECT_EQ(parts, expected);
}

TEST_F(SharedViewsTest, WhatIsShownOfAFileIsToldOnce) {
  map(0, 2, 1, 3);
  map(10, 2, 1, 4);
  std::vector<std::pair<uintptr_t, size_t>> parts;
  views.each_shown({1, 1}, 2 * kPage, 3 * kPage, [&](uintptr_t at, size_t size) { parts.emplace_back(at, size); });
  size_t all = 0;
  for (const auto& [at, size] : parts) {
    EXPECT_EQ(views.home(at), at);
    all += size;
  }
  EXPECT_EQ(all, 2 * kPage);
}

// Mappings and unmappings of any parts, some read-only, over each other.
TEST_F(SharedViewsTest, WhateverIsMapped) {
  std::mt19937 random(7);
  const auto draw = [&](unsigned below) { return random() % below; };
  for (int i = 0; i < 20'000 && !HasFatalFailure(); ++i) {
    if (draw(3) != 0) map(draw(30), 1 + draw(8), 1 + draw(2), draw(10), draw(3) == 0 ? PROT_READ : kReadWrite);
    else unmap(draw(30), 1 + draw(10));
  }
}

TEST_F(SharedViewsTest, HasBeenSeenElsewhere) {
  constexpr uintptr_t kOther = kBegin + 16 * kPage, kThird = kBegin + 32 * kPage;
  const SharedViews::File file = {1, 1};
  views.add(kBegin, kBegin + kPage, file, 0, kReadWrite);
  views.add(kThird, kThird + kPage, {1, 2}, 0, kReadWrite);
  model.known[kBegin] = {1, 0}, model.known[kThird] = {2, 0};
  EXPECT_FALSE(views.seen_elsewhere(kBegin, kBegin + kPage));
  views.add(kOther, kOther + kPage, file, 0, kReadWrite);
  views.end(kOther, kOther + kPage);
  EXPECT_FALSE(views.any());
  EXPECT_TRUE(views.seen_elsewhere(kBegin, kBegin + kPage));
  EXPECT_FALSE(views.seen_elsewhere(kThird, kThird + kPage));
  views.end(kBegin, kBegin + kPage);
  views.add(kBegin, kBegin + kPage, file, 0, kReadWrite);
  EXPECT_FALSE(views.seen_elsewhere(kBegin, kBegin + kPage));
}

}  // namespace
}  // namespace heddle::rt
