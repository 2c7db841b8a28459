// heddle: expect=heap-use-after-free budget=1000
// A block just below 1 MiB, the least size at which freed blocks are not watched; the access is to its last byte.
#include <heddle/heddle.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <thread>

HEDDLE_FUZZ_TEST(large) {
  constexpr size_t kBlock = 1 << 20, kSize = kBlock - 24;
  auto* block = static_cast<char*>(std::malloc(kSize));
  if (malloc_usable_size(block) >= kBlock) std::abort();
  std::atomic<int> users{2};
  const auto leave = [&] {
#ifdef FIXED
    block[kSize - 1] = 1;
#endif
    if (users.fetch_sub(1) == 1) {
      std::free(block);
      return;
    }
#ifndef FIXED
    std::this_thread::yield();
    block[kSize - 1] = 1;
#endif
  };
  std::thread other(leave);
  leave();
  other.join();
}
