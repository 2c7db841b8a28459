// heddle: expect=assertion budget=10000
// An adaptive lock polls fifty times before it waits, and the code that waits is wrong. It is never reached if spinning ends as soon as it is seen.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int taken;
static int inside;

static void lock(void) {
  for (int i = 0; i < 50; ++i) {
    int free = 0;
    if (atomic_compare_exchange_strong(&taken, &free, 1)) return;
  }
#ifdef FIXED
  for (int free = 0; !atomic_compare_exchange_strong(&taken, &free, 1); free = 0) sched_yield();
#else
  atomic_store(&taken, 1);
#endif
}

static void* work(void* unused) {
  lock();
  assert(++inside == 1);
  --inside;
  atomic_store(&taken, 0);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, &work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
