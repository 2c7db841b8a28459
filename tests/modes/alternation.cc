// A reader that sees every single value of a counter that another thread raises: for each round one more pair of a store and a load
// must be turned the right way round. The reader is slow, so that its turns practically never come by chance. Only who
// reorders atomics, and does again what it had already turned, comes to the end.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
constexpr int kRounds = 6;
constexpr int kSlow = 40;

// Each round is code of its own, so that coverage shows how far it came.
template <int kRound>
bool sees_all(const std::atomic<int>& x, std::atomic<int>& noise) {
  for (int i = 0; i < kSlow; ++i) noise.fetch_add(1);
  if (x.load() != kRound) return false;
  if constexpr (kRound < kRounds) {
    return sees_all<kRound + 1>(x, noise);
  } else {
    return true;
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(alternation) {
  std::atomic<int> x{0}, noise{0};
  std::thread writer([&] {
    for (int i = 1; i <= kRounds; ++i) x.store(i);
  });
  const bool all = sees_all<1>(x, noise);
  writer.join();
  assert(!all);
}
