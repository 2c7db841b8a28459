// heddle: expect=assertion budget=5000
// Two threads hand a baton to each other, if the other one is there to take it, and note each time in a list that is one entry too short: all twenty times
// must come one after the other, and a random walk does that once in a million.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr int kTimes = 20;
#ifdef FIXED
constexpr int kEntries = kTimes;
#else
constexpr int kEntries = kTimes - 1;
#endif

}  // namespace

HEDDLE_FUZZ_TEST(hand_over_20) {
  std::atomic<int> baton{0};
  int list[kEntries] = {};
  auto hand_over = [&](int first) {
    for (int n = first; n < kTimes; n += 2) {
      if (baton.load() != n) continue;
      assert(n < kEntries);
      list[n] = first;
      baton.store(n + 1);
    }
  };
  std::thread one(hand_over, 0), other(hand_over, 1);
  one.join();
  other.join();
}
