// heddle: expect=pass runs=5000 options=memory=rc11
// libstdc++ counts the waiters of std::atomic::wait, and relies on the kernel's barriers there. A notification that would miss a waiter leaves it
// blocked. Atomics of other sizes than a futex word wait for a word of the library.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

std::atomic<int> message;
std::atomic<int> word;
std::atomic<uint64_t> wide;
std::atomic<bool> flag;

template <typename T>
void pass(T& gate) {
  gate.wait(0, std::memory_order_acquire);
  assert(message.load(std::memory_order_relaxed) == 1);
}

template <typename T>
void open(T& gate) {
  gate.store(1, std::memory_order_release);
  gate.notify_one();
}

HEDDLE_FUZZ_TEST(atomic_wait) {
  message = word = 0;
  wide = 0;
  flag = false;
  std::thread one(pass<decltype(word)>, std::ref(word)), other(pass<decltype(wide)>, std::ref(wide)), third(pass<decltype(flag)>, std::ref(flag));
  message.store(1, std::memory_order_relaxed);
  open(word);
  open(wide);
  open(flag);
  one.join();
  other.join();
  third.join();
}
