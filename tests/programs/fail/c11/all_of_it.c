// heddle: expect=assertion budget=10000
// C11 threads: the flag is looked at with the mutex, and set without it.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static atomic_int items, taken;

static int produce(void* argument) {
  (void)argument;
  mtx_lock(&mutex);
  ++items;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  return 0;
}

static int consume(void* argument) {
  (void)argument;
  mtx_lock(&mutex);
#ifdef FIXED
  while (items == 0) cnd_wait(&changed, &mutex);
#else
  if (items == 0) cnd_wait(&changed, &mutex);
  assert(items > 0);
#endif
  --items;
  ++taken;
  mtx_unlock(&mutex);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_t threads[4];
  for (int i = 0; i < 4; ++i) thrd_create(&threads[i], i < 2 ? consume : produce, NULL);
  for (int i = 0; i < 4; ++i) thrd_join(threads[i], NULL);
  assert(taken == 2);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return 0;
}
