// The program has few orders, and all are known after some hundred executions. The failure depends on something else: the number of data bytes. At that
// time most executions are not watched. If one fails, the same execution runs again watched, and the failure is reported from that one.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>

void goes_wrong();

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t size) {
  std::atomic<int> n{0};
  std::thread one([&] { n = 1; }), other([&] { n.fetch_add(1); });
  one.join();
  other.join();
  if (size == 23 || size == 61 || size == 130) goes_wrong();
  return 0;
}
