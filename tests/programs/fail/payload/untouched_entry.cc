// heddle: expect=assertion budget=50000
// An existing harness, unchanged: its bytes decide how many threads there are.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int count = size > 0 ? data[0] % 4 : 0;
  std::atomic<int> most{0}, inside{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      const int now = ++inside;
      if (now > most) most = now;
      --inside;
    });
  }
  for (auto& t : threads) t.join();
#ifdef FIXED
  assert(most <= 3);
#else
  assert(most < 3);
#endif
  return 0;
}
