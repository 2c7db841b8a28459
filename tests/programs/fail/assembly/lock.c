// heddle: expect=assertion budget=10000
// A lock in inline assembly, as in older libraries: a thread that tests before it takes the lock may be too late. It waits only with `pause`, in both spellings.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int taken, inside;

static int taken_now(void) {
  int value = 0;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(value), "+m"(taken) : : "memory");
  return value;
}

static void lock(void) {
#ifdef FIXED
  for (;;) {
    int old = 0;
    __asm__ volatile("lock\n\tcmpxchgl %2, %1" : "+a"(old), "+m"(taken) : "r"(1) : "memory", "cc");
    if (old == 0) return;
    while (taken_now()) __asm__ volatile("rep; nop");
  }
#else
  int one = 1;
  while (taken_now()) __asm__ volatile("pause");
  __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(taken) : : "memory");
#endif
}

static void unlock(void) {
  int zero = 0;
  __asm__ volatile("xchg %0, %1" : "+r"(zero), "+m"(taken) : : "memory");
}

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) {
    lock();
    assert(++inside == 1);
    --inside;
    unlock();
  }
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, &work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
