// heddle: expect=deadlock budget=500
// The same in C, inside one helper function, so that only the calling context distinguishes the two locks.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;

__attribute__((noinline)) static void with_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  ++shared;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* other(void* argument) {
  (void)argument;
#ifdef FIXED
  with_both(&a, &b);
#else
  with_both(&b, &a);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL) != 0) return 0;
  with_both(&a, &b);
  pthread_join(thread, NULL);
  return 0;
}
