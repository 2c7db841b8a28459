// heddle: expect=pass runs=500
// Three threads meet three times. Where a thread arrives in libstdc++'s tree depends on a hash of its pthread_t, which has to be the same in every process.
#include <heddle/heddle.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(three_at_once) {
  constexpr int kThreads = 3, kRounds = 3;
  std::barrier meeting(kThreads);
  std::atomic<int> parts{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 1; round <= kRounds; ++round) {
        parts++;
        meeting.arrive_and_wait();
        assert(parts >= round * kThreads);
      }
    });
  }
}
