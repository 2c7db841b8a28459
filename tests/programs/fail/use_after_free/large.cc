// heddle: expect=heap-use-after-free budget=1000
// A block just below 64 KiB, the least size at which freed blocks are not watched; the access is to the last word of the 4 KiB that are.
#include <heddle/heddle.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <thread>

HEDDLE_FUZZ_TEST(large) {
  constexpr size_t kWatched = 4 << 10, kBlock = 64 << 10;
  auto* block = static_cast<char*>(std::malloc(kBlock - 24));
  if (malloc_usable_size(block) >= kBlock) std::abort();
  std::atomic<int> users{2};
  const auto leave = [&] {
#ifdef FIXED
    block[kWatched - 1] = 1;
#endif
    if (users.fetch_sub(1) == 1) {
      std::free(block);
      return;
    }
#ifndef FIXED
    std::this_thread::yield();
    block[kWatched - 1] = 1;
#endif
  };
  std::thread other(leave);
  leave();
  other.join();
}
