// heddle: expect=data_race budget=200 options=report_races=1
// A pair is written as one atomic word, and one half of it is read as a plain number.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

namespace {
alignas(8) uint8_t pair[8];
}

HEDDLE_FUZZ_TEST(half_of_it) {
  [[maybe_unused]] std::atomic<bool> written{false};
  std::thread other([&] {
    __atomic_store_n(reinterpret_cast<uint64_t*>(pair), uint64_t{5} << 32, __ATOMIC_RELAXED);
#ifdef FIXED
    written.store(true, std::memory_order_release);
#endif
  });
#ifdef FIXED
  if (written.load(std::memory_order_acquire))
#endif
  {
    uint32_t high;
    std::memcpy(&high, pair + 4, sizeof high);
    if (high != 0 && high != 5) __builtin_trap();
  }
  other.join();
}
