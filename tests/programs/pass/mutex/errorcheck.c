// heddle: expect=pass runs=500
// Return codes of error-checking and recursive mutexes are those of POSIX.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t m, r;

static void* other(void* argument) {
  (void)argument;
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_trylock(&r) == EBUSY);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&r, &kind);
  pthread_mutexattr_destroy(&kind);
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_lock(&r) == 0 && pthread_mutex_lock(&r) == 0 && pthread_mutex_trylock(&r) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, other, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_mutex_unlock(&r) == 0);
  assert(pthread_mutex_unlock(&r) == EPERM);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_destroy(&m) == 0 && pthread_mutex_destroy(&r) == 0);
  return 0;
}
