// heddle: expect=assertion budget=10000
// A counter in inline assembly: what was read may be old when it is written.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int n;

static int get(int* p) {
  int value = 0;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(value), "+m"(*p) : : "memory");
  return value;
}
#ifdef FIXED
static void increment(int* p) { __asm__ volatile("lock; incl %0" : "+m"(*p) : : "memory", "cc"); }
#else
static void set(int* p, int value) { __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*p) : : "memory"); }
#endif

static void* work(void* unused) {
#ifdef FIXED
  increment(&n);
#else
  set(&n, get(&n) + 1);
#endif
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, &work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(get(&n) == 3);
  return 0;
}
