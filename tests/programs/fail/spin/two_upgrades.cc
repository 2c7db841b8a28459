// heddle: expect=livelock budget=200 seeds=1
// Two readers of a lock both want to write. Each waits until it is the only reader, and keeps its own read lock meanwhile.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(two_upgrades) {
  std::atomic<int> readers{0};  // -1: a writer
  const auto to_writer = [&](int from) { return readers.compare_exchange_strong(from, -1); };
  const auto use = [&] {
    for (int seen = readers; seen < 0 || !readers.compare_exchange_strong(seen, seen + 1); seen = readers) std::this_thread::yield();
#ifdef FIXED
    if (!to_writer(1)) {
      --readers;
      while (!to_writer(0)) std::this_thread::yield();
    }
#else
    while (!to_writer(1)) std::this_thread::yield();
#endif
    readers = 0;
  };
  std::thread one(use), other(use);
  one.join();
  other.join();
}
