// heddle: expect=deadlock|blocked_threads budget=10000
// Two threads that need two units each, of two: each takes one and waits for the other's.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

static sem_t units;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static void* use_two(void* argument) {
#ifdef FIXED
  pthread_mutex_lock(&order);
#endif
  sem_wait(&units);
  sem_wait(&units);
#ifdef FIXED
  pthread_mutex_unlock(&order);
#endif
  sem_post(&units);
  sem_post(&units);
  (void)order;
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  sem_init(&units, 0, 2);
  pthread_t other;
  pthread_create(&other, NULL, use_two, NULL);
  use_two(NULL);
  pthread_join(other, NULL);
  sem_destroy(&units);
  return 0;
}
