// heddle: expect=pass runs=20000 options=memory=rc11 note='x was written by code that heddle does not see'
// Code that heddle does not see writes an atomic. That is one new store: nobody reads an older one, and read-modify-writes go on from it.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

__attribute__((disable_sanitizer_instrumentation, noinline)) void foreign(int value) {
  *reinterpret_cast<volatile int*>(&x) = value;
}

HEDDLE_FUZZ_TEST(foreign_write) {
  x = 0;
  std::thread other([] {
    const int first = x.load(std::memory_order_relaxed), second = x.load(std::memory_order_relaxed), third = x.load(std::memory_order_relaxed);
    assert(first <= second && second <= third);
  });
  x.store(1, std::memory_order_relaxed);
  foreign(2);
  assert(x.load(std::memory_order_relaxed) == 2);
  assert(x.fetch_add(1, std::memory_order_relaxed) == 2);
  foreign(5);
  assert(x.exchange(6, std::memory_order_relaxed) == 5);
  other.join();
  foreign(0);
  assert(x.load(std::memory_order_relaxed) == 0);
}
