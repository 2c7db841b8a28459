// heddle: expect=assertion budget=2000
// Two permits for five threads. Who gets none at once waits, and then gives back one too many.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t permits;
static atomic_int inside;

static void* use(void* unused) {
  const int waits = sem_trywait(&permits) != 0;
  if (waits) sem_wait(&permits);
  assert(atomic_fetch_add(&inside, 1) < 2);
  atomic_fetch_sub(&inside, 1);
  sem_post(&permits);
#ifndef FIXED
  if (waits) sem_post(&permits);
#endif
  return unused;
}

HEDDLE_FUZZ_TEST(permits) {
  pthread_t threads[5];
  sem_init(&permits, 0, 2);
  atomic_store(&inside, 0);
  for (int i = 0; i < 5; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 5; ++i) pthread_join(threads[i], NULL);
  sem_destroy(&permits);
}
