// A target that dies of itself, once two increments have met: by what its payload's first byte says.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

// glibc's heap, which is the engine's and not that of executions.
extern "C" void* __libc_malloc(size_t size);
extern "C" void __libc_free(void* block);

// More than glibc keeps for its thread.
static void* freed[16];

static void free_blocks() {
  for (void*& block : freed) block = __libc_malloc(32);
  for (void* block : freed) __libc_free(block);
}

// As any write to them does, unseen: glibc crashes over them when it is asked for a large block, with its lock held.
__attribute__((no_sanitize("thread"), noinline)) static void break_heap() {
  for (void* block : freed) {
    for (int i = 0; i < 8; ++i) static_cast<volatile char*>(block)[i] = 0x41;
  }
}

__attribute__((noinline)) static void call(void (*function)()) {
  function();
  asm volatile("");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const bool broken = size != 0 && data[0] == 'h';
  if (broken) free_blocks();
  std::atomic<int> counter{0};
  const auto increment = [&] { counter = counter + 1; };
  std::thread one(increment), other(increment);
  if (size != 0 && data[0] == 'j') return 0;  // destroys them while joinable
  one.join();
  other.join();
  if (size == 0) return 0;
  if (data[0] == 'a') assert(counter == 99);
  if (data[0] == 't') __builtin_trap();
  if (data[0] == 'b') std::abort();
  void (*volatile nothing)() = nullptr;
  if (data[0] == '0') call(nothing);
  if (data[0] == 'u' || broken) {  // a finding of heddle's own, after which the run could go on
    std::mutex mutex;
    mutex.unlock();
    if (broken) break_heap();
    std::thread([&] { counter = 0; }).join();
  }
  if (broken) static_cast<volatile char*>(__libc_malloc(4096))[0] = 1;
  if (data[0] == 'c') {  // a list that has become a cycle: freeing it has no end
    static void* next[2];
    for (void*& block : next) block = std::malloc(32);
    for (int i = 0; next[i] != nullptr; i = 1 - i) std::free(next[i]);
  }
  if (data[0] == 'e') std::thread([] { throw std::out_of_range("far"); }).join();
  return 0;
}
