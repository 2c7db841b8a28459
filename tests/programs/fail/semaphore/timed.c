// heddle: expect=assertion budget=10000
// A wait with a time limit, and the result is used whether it came or not.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static sem_t done;
static int result;

static void* work(void* argument) {
  result = 7;
  sem_post(&done);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  sem_init(&done, 0, 0);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 10;
#ifdef FIXED
  while (sem_timedwait(&done, &limit) != 0) ++limit.tv_sec;
#else
  sem_timedwait(&done, &limit);
#endif
  assert(result == 7);
  pthread_join(worker, NULL);
  sem_destroy(&done);
  return 0;
}
