// heddle: expect=pass runs=1000
// The time stamp counter shows virtual time: a loop that waits for it ends immediately, it never goes back, and it agrees with the clocks.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <thread>

#if defined(__x86_64__)
#include <x86intrin.h>

HEDDLE_FUZZ_TEST(time_stamp_wait) {
  using Clock = std::chrono::steady_clock;
  const uint64_t begin = __rdtsc();
  const auto time = Clock::now();
  std::atomic<uint64_t> seen{begin};
  std::thread other([&] {
    for (int i = 0; i < 5; ++i) {
      const uint64_t now = __rdtsc();
      assert(now > seen.load());
      seen.store(now);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  other.join();
  while (__rdtsc() - begin < 20'000'000'000) _mm_pause();
  const auto gone = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - time).count();
  const auto counted = static_cast<int64_t>(__rdtsc() - begin);
  assert(gone >= 20'000'000'000 - 1'000'000 && counted >= gone && counted - gone < 1'000'000'000);
}
#else
HEDDLE_FUZZ_TEST(time_stamp_wait) {}
#endif
