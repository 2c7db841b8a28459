// Two threads that add two variables to each other by relaxed loads and stores: far more execution graphs than a search makes.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

std::atomic<int> x, y;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  x.store(1, kRelaxed);
  y.store(1, kRelaxed);
  const auto add = [] {
    for (int i = 0; i < 4; ++i) {
      x.store(x.load(kRelaxed) + y.load(kRelaxed), kRelaxed);
      y.store(y.load(kRelaxed) + x.load(kRelaxed), kRelaxed);
    }
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  return 0;
}
