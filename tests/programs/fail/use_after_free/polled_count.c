// heddle: expect=heap-use-after-free budget=10000
// The owner polls until no thread is counted any more, and frees the pool. The last thread has counted itself off, and has not unlocked yet.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t lock;
  volatile int alive;
} pool;

static void* work(void* argument) {
  pool* p = argument;
  pthread_mutex_lock(&p->lock);
  p->alive--;
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

HEDDLE_FUZZ_TEST(polled_count) {
  pool* p = malloc(sizeof *p);
  pthread_mutex_init(&p->lock, NULL);
  p->alive = 2;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, work, p);
#ifndef FIXED
    pthread_detach(threads[i]);
#endif
  }
  while (p->alive != 0) sleep(1);
#ifdef FIXED
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
#endif
  free(p);
}
