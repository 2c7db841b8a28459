// heddle: expect=use_before_init budget=500
// The mutex is ready, but the condition variable is initialised while the worker waits on it.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int open_;

static void* wait_for_it(void* argument) {
  pthread_mutex_lock(&guard);
  while (!open_) pthread_cond_wait(&changed, &guard);
  pthread_mutex_unlock(&guard);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t worker;
#ifdef FIXED
  pthread_cond_init(&changed, NULL);
  pthread_create(&worker, NULL, wait_for_it, NULL);
#else
  pthread_create(&worker, NULL, wait_for_it, NULL);
  pthread_cond_init(&changed, NULL);
#endif
  pthread_mutex_lock(&guard);
  open_ = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&guard);
  pthread_join(worker, NULL);
  pthread_cond_destroy(&changed);
  return 0;
}
