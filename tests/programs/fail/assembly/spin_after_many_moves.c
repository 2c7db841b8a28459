// heddle: expect=livelock budget=10000 seeds=1
// Assembly that moves much data before it waits. The moves of the data do not use up the operations of the execution, and the loop that waits is
// seen as one: it has no pause.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { kWords = 50000 };
static uint64_t words[kWords], copy[kWords];
static int stop;

static void move_words(void) {
  for (int round = 0; round < 11; ++round) {
    for (int i = 0; i < kWords; ++i) __asm__ volatile("movq %1, %%rax\n\tmovq %%rax, %0" : "=m"(copy[i]) : "m"(words[i]) : "rax");
  }
}

static int load(const int* p) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}

static void* wait_for_stop(void* unused) {
  move_words();
  while (load(&stop) == 0) continue;
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t thread;
  pthread_create(&thread, NULL, &wait_for_stop, NULL);
#ifdef FIXED
  __asm__ volatile("movl $1, %0" : "=m"(stop) : : "memory");
#endif
  pthread_join(thread, NULL);
  return 0;
}
