// Threads that share a component of the clocks (order/lanes.h): their races are found, and reported with the right thread.
#include <gtest/gtest.h>

#include <vector>

#include "detector_lab.h"

namespace heddle::rt {
namespace {

std::vector<RaceReport> g_reports;

void begin_threads() {
  begin();
  race_detector_thread(0, 0, 0, 0);
  g_reports.clear();
  set_race_sink([](const RaceReport& r) { g_reports.push_back(r); });
}

void born(uint32_t parent, uint32_t child) {
  event(parent, Kind::thread_create, 100 + child);
  race_detector_thread(child, parent, 0, 0);
  event(child, Kind::thread_start, 100 + child);
}

void ends(uint32_t thread) {
  event(thread, Kind::thread_exit, 100 + thread);
  race_detector_ended(thread);
}

void joins(uint32_t thread, uint32_t other) { event(thread, Kind::thread_join, 100 + other); }

struct Threads {
  uint32_t first, second;
  bool operator==(const Threads&) const = default;
};

std::vector<Threads> found_threads() {
  set_race_sink(nullptr);
  std::vector<Threads> threads;
  for (const RaceReport& r : g_reports) threads.push_back({r.first_thread, r.second_thread});
  return threads;
}

// 2 goes on in the lane of 1.
TEST(SharedLanes, TheLaterThreadIsNamed) {
  begin_threads();
  born(0, 1);
  access(1, kBase, 8, true, 0x10);
  ends(1);
  joins(0, 1);
  born(0, 2);
  born(0, 3);
  access(2, kBase, 8, true, 0x20);
  access(3, kBase, 8, true, 0x30);
  EXPECT_EQ(found_threads(), (std::vector<Threads>{{2, 3}}));
}

// 2 has seen nothing of 1's lane, in which 3 goes on later: the race is with 1.
TEST(SharedLanes, TheEarlierThreadIsNamed) {
  begin_threads();
  born(0, 1);
  born(0, 2);
  access(1, kBase, 8, true, 0x10);
  ends(1);
  joins(0, 1);
  born(0, 3);
  access(3, kBase + 8, 8, true, 0x30);
  access(2, kBase, 8, true, 0x20);
  access(2, kBase + 8, 8, true, 0x40);
  EXPECT_EQ(found_threads(), (std::vector<Threads>{{1, 2}, {3, 2}}));
}

TEST(SharedLanes, NoLaneOfAThreadThatNobodyHasJoined) {
  begin_threads();
  born(0, 1);
  access(1, kBase, 8, true, 0x10);
  ends(1);
  born(0, 2);
  access(2, kBase, 8, true, 0x20);
  EXPECT_EQ(found_threads(), (std::vector<Threads>{{1, 2}}));
}

// What the earlier thread has kept for an acquire fence of its own is not the later one's.
TEST(SharedLanes, FencesAreTheThreadsOwn) {
  begin_threads();
  born(0, 1);
  born(0, 2);
  access(2, kBase, 8, true, 0x20);
  event(2, Kind::atomic_store, 5, MemoryOrder::release);
  event(1, Kind::atomic_load, 5, MemoryOrder::relaxed);
  ends(1);
  joins(0, 1);
  born(0, 3);
  event(3, Kind::atomic_fence, 0, MemoryOrder::acquire);
  access(3, kBase, 8, true, 0x30);
  EXPECT_EQ(found_threads(), (std::vector<Threads>{{2, 3}}));
}

TEST(SharedLanes, NorAreThoseOfARelease) {
  begin_threads();
  born(0, 1);
  born(0, 2);
  access(1, kBase, 8, true, 0x10);
  event(1, Kind::atomic_fence, 0, MemoryOrder::release);
  ends(1);
  joins(0, 1);
  born(0, 3);
  event(3, Kind::atomic_store, 5, MemoryOrder::relaxed);
  event(2, Kind::atomic_load, 5, MemoryOrder::acquire);
  access(2, kBase, 8, true, 0x20);
  EXPECT_EQ(found_threads(), (std::vector<Threads>{{1, 2}}));
}

}  // namespace
}  // namespace heddle::rt
