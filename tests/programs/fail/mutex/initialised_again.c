// heddle: expect=use_before_init budget=100
// A mutex is initialised again in place of an unlock: nobody wakes the thread that waits for it. (jemalloc #895, in its handler of a fork.)
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t m;
static int counter;

static void* work(void* argument) {
  pthread_mutex_lock(&m);
  ++counter;
  pthread_mutex_unlock(&m);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t thread;
  pthread_mutex_init(&m, NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&m);
  ++counter;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#else
  pthread_mutex_init(&m, NULL);
#endif
  pthread_join(thread, NULL);
  return 0;
}
