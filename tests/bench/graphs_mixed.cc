// Three threads, two variables; release, acquire, relaxed and read-modify-writes. 492 execution graphs were ever seen under rc11.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

std::atomic<int> x, y;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release,
                 acq_rel = std::memory_order_acq_rel;
  x.store(0, relaxed);
  y.store(0, relaxed);
  std::thread a([] {
    x.store(1, release);
    y.fetch_add(1, relaxed);
    (void)x.load(acquire);
  });
  std::thread b([] {
    y.store(2, release);
    x.fetch_add(1, acq_rel);
    (void)y.load(acquire);
    (void)x.load(relaxed);
  });
  std::thread c([] {
    (void)y.load(acquire);
    x.store(3, relaxed);
    (void)y.exchange(5, acq_rel);
  });
  a.join();
  b.join();
  c.join();
  return 0;
}
