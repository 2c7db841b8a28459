// heddle: expect=assertion options=memory=rc11 budget=4000
// Two threads that announce themselves and then look for the other one. A barrier for the compiler alone lets each miss the other one. (FIXED: the
// processor's full fence, in assembly.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIXED
#define FENCE "mfence"
#else
#define FENCE ""
#endif

atomic_int here[2];
static int sees_other[2];

static void* work(void* number) {
  const int me = (int)(intptr_t)number;
  atomic_store_explicit(&here[me], 1, memory_order_relaxed);
  __asm__ volatile(FENCE : : : "memory");
  sees_other[me] = atomic_load_explicit(&here[1 - me], memory_order_relaxed);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  here[0] = here[1] = 0;
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sees_other[0] || sees_other[1]);
  return 0;
}
