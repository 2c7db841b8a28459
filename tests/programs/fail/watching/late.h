// Few orders, all of them known after some hundred executions; what goes wrong depends on something else: on how many data bytes there are. By then most
// executions go unwatched, and what goes wrong in one is told of the watched one that is made in its place.
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
