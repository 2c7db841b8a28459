// heddle: expect=pass runs=1000 options=report_races=1
// Atomic operations never race with each other, with any orders and sizes. Nor do they race with plain accesses that something else orders.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(relaxed) {
  std::atomic<int> n{0};
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  std::atomic<unsigned char> small{0};
  alignas(16) unsigned __int128 wide = 0;
  std::mutex m;
  auto work = [&] {
    n.fetch_add(1, std::memory_order_relaxed);
    small.store(3, std::memory_order_relaxed);
    if (!flag.test_and_set(std::memory_order_relaxed)) small.fetch_or(4, std::memory_order_relaxed);
    int expected = 1;
    n.compare_exchange_weak(expected, 5, std::memory_order_relaxed);
    __atomic_fetch_add(reinterpret_cast<uint64_t*>(&wide), 1, __ATOMIC_RELAXED);
    (void)n.load(std::memory_order_relaxed);
    std::lock_guard lock(m);
    char bytes[sizeof wide];
    std::memcpy(&bytes, &m, 1);  // looks at a lock
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  int plain;
  std::memcpy(&plain, static_cast<void*>(&n), sizeof plain);
  new (&n) std::atomic<int>(0);
  std::vector<std::atomic<int>> many(4);  // made by this thread, used by the next
  std::thread three([&] {
    for (auto& a : many) a.fetch_add(1, std::memory_order_relaxed);
  });
  for (auto& a : many) a.store(2, std::memory_order_relaxed);
  three.join();
}
