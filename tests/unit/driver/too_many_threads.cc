// More threads at the same time than fit into the address space that limits_test.py allows.
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
