// heddle: expect=pass runs=200 options=timeouts=patient
// Waits with a time limit go by two clocks. With another one they fail at once, and lock nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static void* nothing(void* argument) { return argument; }

static void expect(int result, int expected) {
  if (result != expected) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  const struct {
    clockid_t clock;
    int result;
  } clocks[] = {{CLOCK_REALTIME, 0}, {CLOCK_MONOTONIC, 0}, {CLOCK_REALTIME_COARSE, EINVAL}, {CLOCK_BOOTTIME, EINVAL}};
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    struct timespec limit;
    clock_gettime(clocks[i].clock, &limit);
    limit.tv_sec += 1000000;
    const clockid_t clock = clocks[i].clock;
    const int result = clocks[i].result;
    expect(pthread_mutex_clocklock(&mutex, clock, &limit), result);
    if (result == 0) pthread_mutex_unlock(&mutex);
    expect(pthread_rwlock_clockrdlock(&lock, clock, &limit), result);
    if (result == 0) pthread_rwlock_unlock(&lock);
    expect(pthread_rwlock_clockwrlock(&lock, clock, &limit), result);
    if (result == 0) pthread_rwlock_unlock(&lock);
    expect(sem_clockwait(&semaphore, clock, &limit) == 0 ? 0 : errno, result);
    expect(pthread_clockjoin_np(thread, NULL, clock, &limit), result);
    if (result != 0) {
      pthread_mutex_lock(&mutex);
      expect(pthread_cond_clockwait(&cond, &mutex, clock, &limit), EINVAL);
      pthread_mutex_unlock(&mutex);
      pthread_join(thread, NULL);
    }
    pthread_mutex_destroy(&mutex);
    pthread_rwlock_destroy(&lock);
    sem_destroy(&semaphore);
  }
  return 0;
}
