// Eight threads; thread i changes one variable from i to i + 1. 2,048 execution graphs under rc11, most of them with few successes: to see the
// others, a search must climb (tests/bench/graphs.py).
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

std::atomic<int> rung;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  rung.store(0, std::memory_order_relaxed);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      int expected = i;
      rung.compare_exchange_strong(expected, i + 1, std::memory_order_relaxed);
    });
  }
  for (std::thread& t : threads) t.join();
  return 0;
}
