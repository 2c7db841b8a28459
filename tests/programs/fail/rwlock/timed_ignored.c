// heddle: expect=unlock_not_owner|unlock_not_locked budget=10000
// A time limit on the exclusive lock, and the result is ignored.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* read_it(void* argument) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t reader;
  pthread_create(&reader, NULL, read_it, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  ++limit.tv_sec;
  const int error = pthread_rwlock_timedwrlock(&lock, &limit);
#ifdef FIXED
  if (error == 0) pthread_rwlock_unlock(&lock);
#else
  (void)error;
  pthread_rwlock_unlock(&lock);
#endif
  pthread_join(reader, NULL);
  return 0;
}
