// heddle: expect=deadlock|blocked_threads budget=10000
// pthread_exit in the middle of a critical section.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stopped;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  if (stopped) {
#ifdef FIXED
    pthread_mutex_unlock(&mutex);
#endif
    pthread_exit(argument);
  }
  pthread_mutex_unlock(&mutex);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_detach(worker);
  stopped = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
