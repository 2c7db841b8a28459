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

// As many programs have it. The compiler keeps values in all registers around it, and takes the flags to be what they were.
uint64_t in_assembly() {
  uint32_t low, high;
  asm volatile("lfence; rdtsc" : "=a"(low), "=d"(high));
  return static_cast<uint64_t>(high) << 32 | low;
}
uint64_t with_processor() {
  uint32_t low, high, processor = 1;
  asm volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  assert(processor == 0);
  return static_cast<uint64_t>(high) << 32 | low;
}

void keeps_registers_and_flags(uint64_t begin) {
  uint64_t low = 0, high = 0, kept[] = {3, 5, 7, 11};
  double lanes = 0.5;
  bool carry = false;
  asm volatile("stc; rdtsc; setc %[carry]"
               : "=a"(low), "=d"(high), [carry] "=&r"(carry), "+r"(kept[0]), "+r"(kept[1]), "+r"(kept[2]), "+r"(kept[3]), "+x"(lanes));
  assert(carry && kept[0] == 3 && kept[1] == 5 && kept[2] == 7 && kept[3] == 11 && lanes == 0.5);
  assert((high << 32 | low) > begin);
}

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
  keeps_registers_and_flags(begin);
  unsigned processor = 1;
  const uint64_t one = in_assembly(), two = with_processor(), three = __rdtscp(&processor);
  assert(seen < one && one < two && two < three && processor == 0);
  while (__rdtsc() - begin < 20'000'000'000) _mm_pause();
  const auto gone = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - time).count();
  const auto counted = static_cast<int64_t>(__rdtsc() - begin);
  assert(gone >= 20'000'000'000 - 1'000'000 && counted >= gone && counted - gone < 1'000'000'000);
}
#else
HEDDLE_FUZZ_TEST(time_stamp_wait) {}
#endif
