// heddle: expect=heap-buffer-overflow|heap-use-after-free budget=500 asan
// A container that grows while another thread indexes it.
#include <heddle/heddle.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(check_asan) {
  std::atomic<int> size{2};
  auto data = std::make_unique<int[]>(2);
  std::mutex m;
  std::thread grow([&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    size = 4;
    auto larger = std::make_unique<int[]>(4);
    data.swap(larger);
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    const int last = size - 1;
    std::unique_lock<std::mutex> pause(m, std::defer_lock);
    volatile int* base = data.get();
    base[last] = 1;
  }
  grow.join();
}
