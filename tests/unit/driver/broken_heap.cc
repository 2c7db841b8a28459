// Breaks glibc's lists, unseen by heddle, and then fails: executions have a heap of their own, but the engine and the harness's initialisation use glibc's.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" void* __libc_malloc(size_t size);
extern "C" void __libc_free(void* block);

__attribute__((no_sanitize("thread"), noinline)) static void break_heap() {
  // Freed blocks of every small size point nowhere.
  for (size_t size = 16; size <= 1024; size += 16) {
    void* blocks[3];
    for (void*& block : blocks) block = __libc_malloc(size);
    for (void* block : blocks) __libc_free(block);
    for (void* block : blocks) {
      for (int i = 0; i < 8; ++i) static_cast<volatile char*>(block)[i] = 0x41;
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5 || data[0] != 'b') return 0;
  break_heap();
  if (data[1] == 'a') abort();
  if (data[1] == 's') *reinterpret_cast<volatile int*>(8) = 1;
  for (size_t n = 16; n < 1024; n += 16) {  // inside the allocator: the first block of a size is a good one still
    for (int i = 0; i < 2; ++i) *static_cast<volatile char*>(__libc_malloc(n)) = 1;
  }
  return 0;
}
