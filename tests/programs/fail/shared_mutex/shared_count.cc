// heddle: expect=assertion budget=10000
// A statistic that readers keep under their shared lock.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

HEDDLE_FUZZ_TEST(shared_count) {
  std::shared_mutex m;
  std::atomic<int> readers{0};
  const auto read = [&] {
    std::shared_lock lock(m);
#ifdef FIXED
    readers.fetch_add(1, std::memory_order_relaxed);
#else
    readers.store(readers.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
#endif
  };
  std::thread a(read), b(read);
  a.join();
  b.join();
  std::unique_lock lock(m);
  assert(readers == 2);
}
