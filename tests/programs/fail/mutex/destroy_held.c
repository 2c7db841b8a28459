// heddle: expect=destroy_held budget=200
// The mutex is destroyed while a worker may still hold it.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m;

static void* worker(void* argument) {
  (void)argument;
  pthread_mutex_lock(&m);
  sched_yield();
  pthread_mutex_unlock(&m);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  pthread_mutex_init(&m, NULL);
  if (pthread_create(&thread, NULL, worker, NULL) != 0) return 0;
#ifdef FIXED
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&m);
#else
  sched_yield();
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, NULL);  // so that a late worker finds a good one: only "held" is wrong here
  pthread_join(thread, NULL);
#endif
  return 0;
}
