// heddle: expect=assertion options=memory=rc11 budget=2000
// A message behind a flag that is stored relaxed: the reader can see the flag and not the message. (FIXED: release and acquire.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kStore = std::memory_order_release, kLoad = std::memory_order_acquire;
#else
constexpr auto kStore = std::memory_order_relaxed, kLoad = std::memory_order_relaxed;
#endif

std::atomic<int> length, ready;

HEDDLE_FUZZ_TEST(published_early) {
  length = ready = 0;
  std::thread writer([] {
    length.store(8, std::memory_order_relaxed);
    ready.store(1, kStore);
  });
  if (ready.load(kLoad) == 1) assert(length.load(std::memory_order_relaxed) == 8);
  writer.join();
}
