// Three threads and about 25 visible operations, on mutexes and atomics; nothing is wrong with it.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  std::mutex m;
  std::atomic<int> n{0};
  int sum = 0;
  auto work = [&] {
    {
      std::lock_guard lock(m);
      ++sum;
    }
    n.fetch_add(1);
    if (n.load() > 3) __builtin_trap();
  };
  std::thread one(work), two(work), three(work);
  one.join();
  two.join();
  three.join();
  return 0;
}
