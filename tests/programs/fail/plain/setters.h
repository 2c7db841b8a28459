// SETTERS threads each set a and then b; the checker must never see one without the other.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
int a, b;
[[maybe_unused]] std::mutex m;

void set() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  a = 1;
  b = -1;
}

void check() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
}
}  // namespace

HEDDLE_FUZZ_TEST(setters) {
  std::vector<std::thread> threads;
  for (int i = 0; i < SETTERS; ++i) threads.emplace_back(set);
  threads.emplace_back(check);
  for (auto& t : threads) t.join();
}
