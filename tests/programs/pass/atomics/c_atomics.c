// heddle: expect=pass runs=500
// C's atomics and fences; exactly one exchange sees the initial value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int slot, first;
static atomic_flag flag = ATOMIC_FLAG_INIT;

static void* work(void* argument) {
  atomic_thread_fence(memory_order_release);
  if (atomic_exchange(&slot, (int)(intptr_t)argument) == 0) atomic_fetch_add_explicit(&first, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_flag_test_and_set(&flag)) {
  }
  atomic_flag_clear(&flag);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&first) == 1);
  return 0;
}
