// Breaks the allocator's lists, unseen by heddle, and then fails. LOCKED: fails inside the allocator.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

__attribute__((no_sanitize("thread"), noinline)) static void break_heap() {
  // Freed blocks of every small size point nowhere.
  for (size_t size = 16; size <= 1024; size += 16) {
    void* blocks[3];
    for (void*& block : blocks) block = malloc(size);
    for (void* block : blocks) free(block);
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
  for (size_t n = 16; n < 1024; n += 16) {  // inside the allocator
    volatile char* p = static_cast<char*>(malloc(n));
    p[0] = 1;
  }
  return 0;
}
