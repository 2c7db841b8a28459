// Two threads, each a relaxed store and a relaxed load: the smallest execution with a stale read.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

std::atomic<int> x, y;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  x.store(0, kRelaxed);
  y.store(0, kRelaxed);
  std::thread a([] { x.store(1, kRelaxed), (void)y.load(kRelaxed); });
  std::thread b([] { y.store(1, kRelaxed), (void)x.load(kRelaxed); });
  a.join();
  b.join();
  return 0;
}
