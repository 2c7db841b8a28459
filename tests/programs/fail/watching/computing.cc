// heddle: expect=assertion
// Each thread makes some 90,000 plain accesses between two of its operations, far more than come before a choice is forced: where those choices
// stand may not turn on whether the execution is watched.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace {

uint32_t computed(uint32_t seed) {
  std::vector<uint32_t> v(1500);
  for (int round = 0; round < 30; ++round) {
    for (uint32_t& x : v) x ^= seed = seed * 1664525 + 1013904223;
  }
  return v[7];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  std::mutex m;
  uint32_t sum = 0;
  const auto add = [&](uint32_t seed) {
#ifdef FIXED
    const uint32_t more = computed(seed);
    std::lock_guard lock(m);
    sum += more;
#else
    uint32_t before;
    {
      std::lock_guard lock(m);
      before = sum;
    }
    const uint32_t more = computed(seed);
    std::lock_guard lock(m);
    sum = before + more;
#endif
  };
  std::thread one([&] { add(1); }), other([&] { add(2); });
  one.join();
  other.join();
  assert(sum == computed(1) + computed(2));
  return 0;
}
