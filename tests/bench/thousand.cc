// Four threads and about 1,000 visible operations.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  std::mutex m;
  std::atomic<int> n{0};
  int sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 61; ++k) {
        {
          std::lock_guard lock(m);
          ++sum;
        }
        n.fetch_add(1);
        if (n.load() > 244) __builtin_trap();
      }
    });
  }
  for (auto& t : threads) t.join();
  return 0;
}
