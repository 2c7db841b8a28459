// heddle: expect=assertion budget=10000
// xchg needs no lock prefix, but much code gives it one, in several spellings.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int taken, inside;

static int exchange(int value, int how) {
  switch (how) {
    case 0: __asm__ volatile("lock; xchgl %0, %1" : "+r"(value), "+m"(taken) : : "memory"); break;
    case 1: __asm__ volatile("lock xchgl %0, %1" : "+r"(value), "+m"(taken) : : "memory"); break;
    case 2: __asm__ volatile("lock\n\txchg %0, %1" : "+r"(value), "+m"(taken) : : "memory"); break;
    default: __asm__ volatile("xchg %0, %1" : "+r"(value), "+m"(taken) : : "memory"); break;
  }
  return value;
}

static int read_it(void) {
  int value = 0;
  __asm__ volatile("lock xaddl %0, %1" : "+r"(value), "+m"(taken) : : "memory");
  return value;
}

static void* work(void* argument) {
  const int how = (int)(intptr_t)argument;
  for (int i = 0; i < 2; ++i) {
#ifdef FIXED
    while (exchange(1, (how + i) & 3) != 0) __asm__ volatile("pause");
#else
    while (read_it() != 0) __asm__ volatile("pause");
    exchange(1, (how + i) & 3);
#endif
    assert(++inside == 1);
    --inside;
    exchange(0, (how + i + 1) & 3);
  }
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, &work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
