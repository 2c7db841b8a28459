// A value and its copy are each changed under a lock, but not both under one: the reader may come between the two stages.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
std::mutex first_lock, second_lock;
int first, second;

void write_both() {
#ifdef FIXED
  std::lock_guard stage(second_lock);
  std::lock_guard lock(first_lock);
  first = 1;
  second = first + 1;
#else
  {
    std::lock_guard lock(first_lock);
    first = 1;
  }
  std::lock_guard lock(second_lock);
  second = first + 1;
#endif
}

void read_both() {
#ifdef FIXED
  std::lock_guard stage(second_lock);
#endif
  int seen;
  {
    std::lock_guard lock(first_lock);
    if (first == 0) return;
    seen = first;
  }
#ifndef FIXED
  std::lock_guard lock(second_lock);
#endif
  assert(second == seen + 1);
}
}  // namespace

HEDDLE_FUZZ_TEST(twostage) {
  std::vector<std::thread> threads;
  for (int i = 0; i < WRITERS; ++i) threads.emplace_back(write_both);
  threads.emplace_back(read_both);
  for (auto& t : threads) t.join();
}
