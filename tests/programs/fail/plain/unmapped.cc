// heddle: expect=data-race budget=200 options=report_races=1
// The worker has written to the last page of a mapping and says so with a relaxed store, which orders nothing: giving the mapping back races with
// that write. The mapping is large, and the write far from its beginning.
#include <heddle/heddle.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>

#ifdef FIXED
constexpr auto kSays = std::memory_order_release, kHears = std::memory_order_acquire;
#else
constexpr auto kSays = std::memory_order_relaxed, kHears = std::memory_order_relaxed;
#endif

HEDDLE_FUZZ_TEST(unmapped) {
  constexpr size_t kSize = size_t{4} << 30;
  auto* memory =
      static_cast<char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (memory == MAP_FAILED) return;
  std::atomic<bool> done{false};
  std::thread worker([&] {
    memory[kSize - 5] = 1;
    done.store(true, kSays);
  });
  while (!done.load(kHears)) std::this_thread::yield();
  munmap(memory, kSize);
  worker.join();
}
