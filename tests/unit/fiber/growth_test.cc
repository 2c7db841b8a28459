// Nothing grows: donors, memory, descriptors, kernel threads.
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "fiber_test.h"

namespace fiber_test {
namespace {

size_t entries(const char* directory) {
  DIR* dir = opendir(directory);
  size_t n = 0;
  while (readdir(dir) != nullptr) ++n;
  closedir(dir);
  return n;
}

size_t resident_pages() {
  size_t total = 0, resident = 0;
  FILE* file = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
  std::fclose(file);
  return resident;
}

// Locals whose address escapes: fake frames, under ASan.
__attribute__((noinline)) void hold(int depth) {
  volatile char buffer[64];
  buffer[depth] = 1;
  asm volatile("" ::"r"(buffer) : "memory");
  if (depth > 0) {
    hold(depth - 1);
  } else {
    fiber::switch_to(fiber::root());
  }
  buffer[depth] = 2;
}

void abandon(int times) {
  for (int i = 0; i < times; ++i) {
    Fiber* a = fiber::acquire([](void*) { hold(2); }, nullptr);
    Fiber* b = fiber::acquire([](void*) { hold(4); }, nullptr);
    fiber::switch_to(a);
    fiber::switch_to(b);
    fiber::release(b);
    fiber::release(a);
  }
}

TEST(Growth, AbandonedFibers) {
  fiber::initialise();
  abandon(1000);
  const size_t donors = fiber::donor_count(), pages = resident_pages();
  const size_t descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
  abandon(50000);
  EXPECT_EQ(fiber::donor_count(), donors);
  EXPECT_EQ(fiber::live_count(), 0u);
  EXPECT_LT(resident_pages(), pages + pages / 10);
  EXPECT_EQ(entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(entries("/proc/self/task"), threads);
}

TEST(Growth, TheNthFiberOfEveryExecutionGetsTheSameDonor) {
  fiber::initialise();
  Fiber* first[5];
  for (Fiber*& f : first) f = fiber::acquire([](void*) {}, nullptr);
  // In any order.
  for (int i : {3, 0, 4, 1, 2}) fiber::release(first[i]);
  for (Fiber* expected : first) EXPECT_EQ(fiber::acquire([](void*) {}, nullptr), expected);
  EXPECT_EQ(std::set<Fiber*>(first, first + 5).size(), 5u);
  for (Fiber* f : first) fiber::release(f);
}

TEST(Growth, ManyAtOnce) {
  fiber::initialise();
  constexpr int kMany = 100;
  Fiber* many[kMany];
  static int begun;
  begun = 0;
  for (Fiber*& f : many) {
    f = fiber::acquire(
        [](void*) {
          ++begun;
          fiber::switch_to(fiber::root());
        },
        nullptr);
    ASSERT_NE(f, nullptr);
  }
  for (Fiber* f : many) fiber::switch_to(f);
  EXPECT_EQ(begun, kMany);
  EXPECT_EQ(fiber::live_count(), static_cast<size_t>(kMany));
  for (Fiber* f : many) fiber::release(f);
  EXPECT_EQ(fiber::live_count(), 0u);
}

// AFL++ forks before the first execution, other programs when they like.
TEST(Growth, AForkedChildHasDonorsOfItsOwn) {
  fiber::initialise();
  abandon(3);
  const pid_t child = fork();
  if (child == 0) {
    fiber::initialise();
    const bool fresh = fiber::donor_count() == 1;
    abandon(1000);
    _exit(fresh && fiber::donor_count() == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  abandon(3);
}

}  // namespace
}  // namespace fiber_test
