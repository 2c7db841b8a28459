// heddle: expect=pass runs=500
// Every read-modify-write on every width, relaxed and not: what comes out does not depend on the schedule.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {
template <typename T>
void all_of() {
  std::atomic<T> sum{0}, bits{0}, all{static_cast<T>(~T{0})}, flips{0};
  std::atomic_flag once = ATOMIC_FLAG_INIT;
  std::atomic<int> winners{0};
  auto work = [&](int me) {
    sum.fetch_add(3, std::memory_order_relaxed);
    sum.fetch_sub(1, std::memory_order_acq_rel);
    bits.fetch_or(static_cast<T>(1 << me), std::memory_order_release);
    all.fetch_and(static_cast<T>(~T(1 << me)));
    flips.fetch_xor(1);
    flips.fetch_xor(static_cast<T>(1 << me));
    if (!once.test_and_set()) ++winners;
    T seen = sum.load(std::memory_order_acquire);
    while (!sum.compare_exchange_weak(seen, static_cast<T>(seen + 1), std::memory_order_acq_rel)) {
    }
  };
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
  assert(sum == 6 && bits == 6 && all == static_cast<T>(~T{6}) && flips == 6 && winners == 1);
}
}  // namespace

HEDDLE_FUZZ_TEST(read_modify_write) {
  all_of<uint8_t>();
  all_of<uint16_t>();
  all_of<uint32_t>();
  all_of<uint64_t>();
}
