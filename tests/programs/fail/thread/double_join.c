// heddle: expect=double_join budget=500
// Two threads may both feel responsible for joining a third.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_t worker;
static _Atomic int joined;

static void* work(void* argument) {
  (void)argument;
  return NULL;
}

static void join_once(void) {
#ifdef FIXED
  if (atomic_exchange(&joined, 1)) return;
  pthread_join(worker, NULL);
#else
  if (joined) return;
  pthread_join(worker, NULL);
  joined = 1;
#endif
}

static void* reap(void* argument) {
  (void)argument;
  join_once();
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t reaper;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&reaper, NULL, reap, NULL);
  join_once();
  pthread_join(reaper, NULL);
  return 0;
}
