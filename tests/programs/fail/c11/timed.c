// heddle: expect=assertion budget=10000
// mtx_timedlock, call_once and tss: the lock may not come in time.
#include <assert.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;

static void make(void) {
  tss_create(&slot, NULL);
  mtx_init(&mutex, mtx_timed);
}

static int use(void* argument) {
  call_once(&once, make);
  tss_set(slot, argument);
  struct timespec limit;
  timespec_get(&limit, TIME_UTC);
  limit.tv_sec += 60;
  const int result = mtx_timedlock(&mutex, &limit);
#ifdef FIXED
  if (result != thrd_success) return 0;
#endif
  assert(result == thrd_success);
  mtx_unlock(&mutex);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  thrd_t other;
  thrd_create(&other, use, &other);
  use(&mutex);
  thrd_join(other, NULL);
  tss_delete(slot);
  mtx_destroy(&mutex);
  return 0;
}
