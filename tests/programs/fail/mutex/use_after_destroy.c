// heddle: expect=use_after_destroy|destroy_held budget=200
// The worker may come to the mutex after its destruction.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t m;
static _Atomic int done;

static void* worker(void* argument) {
  (void)argument;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_store(&done, 1);
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
  pthread_mutex_lock(&m);  // the worker does not hold it at this moment
  pthread_mutex_unlock(&m);
  if (!atomic_load(&done)) pthread_mutex_destroy(&m);
  pthread_join(thread, NULL);
#endif
  return 0;
}
