// heddle: expect=blocked_threads|deadlock budget=1000
// A wait releases only one level of a recursive mutex. A thread that holds it twice keeps it, and no thread can signal.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* wait_for_it(void* nothing) {
  pthread_mutex_lock(&mutex);
#ifndef FIXED
  pthread_mutex_lock(&mutex);
#endif
  while (!ready) pthread_cond_wait(&changed, &mutex);
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &kind);
  ready = 0;
  pthread_t waiter;
  pthread_create(&waiter, 0, wait_for_it, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(waiter, 0);
  pthread_mutex_destroy(&mutex);
  return 0;
}
