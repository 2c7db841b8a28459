// heddle: expect=blocked-threads|lost-wakeup budget=10000
// As in OpenLDAP's thread pool (tpool.c of 2.5.13): of two workers that end at the same time, one counts itself off with another lock than the other
// one. So one worker is counted for ever, or main misses the last one. What main has read before it was woken is not the reason.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER, queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static _Alignas(64) int busy;
static _Alignas(64) int workers;
int was_busy;

static void* work(void* number) {
  pthread_mutex_t* lock = &queue;
#ifndef FIXED
  if (number != NULL) lock = &pool;
#endif
  if (number != NULL) {
    pthread_mutex_lock(&queue);
    busy = 1;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&queue);
  }
  pthread_mutex_lock(lock);
  if (--workers == 0) pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(lock);
  return number;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[2];
  busy = 0;
  workers = 2;
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, &work, (void*)i);
  pthread_mutex_lock(&queue);
  was_busy = busy;
  while (workers > 0) pthread_cond_wait(&ended, &queue);
  pthread_mutex_unlock(&queue);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
