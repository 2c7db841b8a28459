// More threads at once than the address space of limits_test.py has room for.
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 10'000; ++i) threads.emplace_back([] {});
  for (std::thread& t : threads) t.join();
  return 0;
}
