// heddle: expect=blocked_threads|deadlock budget=500
// The worker posts before the semaphore is initialised, and the count is lost.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

static sem_t ready;

static void* start(void* argument) {
  sem_post(&ready);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t worker;
#ifdef FIXED
  sem_init(&ready, 0, 0);
  pthread_create(&worker, NULL, start, NULL);
#else
  pthread_create(&worker, NULL, start, NULL);
  sem_init(&ready, 0, 0);
#endif
  sem_wait(&ready);
  pthread_join(worker, NULL);
  sem_destroy(&ready);
  return 0;
}
