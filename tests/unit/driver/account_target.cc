// One thing of each sort that is not under control; with HEDDLE_TEST_PLAIN none of them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int shared;

}  // namespace

#ifndef HEDDLE_TEST_PLAIN
int bare_function(int x);       // account_bare.cc
int bare_with_constructor();    // account_bare_constructor.cc
int library_function();         // account_library.cc
int library_that_waits(int x);  // account_library_waits.cc

namespace {

// Runs until the process ends. Its mutex is on its stack, because globals are restored before each execution.
struct StartsEarly {
  std::thread thread{[] {
    std::mutex own;
    for (;;) {
      const std::lock_guard lock(own);
      std::this_thread::yield();
    }
  }};
  StartsEarly() { thread.detach(); }
};
StartsEarly starts_early;

// A prefix that no assembler sees, as in an object that was assembled without heddle.
__attribute__((noinline)) int swap_by_hand(int* at, int expected, int wanted) {
#if defined(__x86_64__)
  __asm__ __volatile__(".byte 0xf0; cmpxchgl %2, %1" : "+a"(expected), "+m"(*at) : "r"(wanted) : "memory");
#endif
  return expected;
}

int uncontrolled() {
  int own = 0;
  return bare_function(1) + bare_with_constructor() + library_function() + library_that_waits(0) + swap_by_hand(&own, 0, 1);
}

}  // namespace
#else
int uncontrolled() { return 0; }
#endif

#ifdef HEDDLE_TEST_MAIN
int main() {
#else
extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
#endif
  std::thread other([] {
    const std::lock_guard lock(mutex);
    shared += uncontrolled();
  });
  {
    const std::lock_guard lock(mutex);
    ++shared;
  }
  other.join();
  if (getenv("HEDDLE_TEST_FAILS") != nullptr) abort();
  return 0;
}
