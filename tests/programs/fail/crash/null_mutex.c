// heddle: expect=crash|SEGV budget=100
// The lock is taken away before its last user has come: what fails is the call, with a null pointer.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t* volatile lock;

static void* uses(void* nothing) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  lock = &mutex;
  pthread_t other;
  pthread_create(&other, NULL, uses, NULL);
#ifndef FIXED
  lock = NULL;
#endif
  pthread_join(other, NULL);
  return 0;
}
