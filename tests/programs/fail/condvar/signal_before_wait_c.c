// heddle: expect=lost_wakeup budget=500
// The flag is looked at outside the lock, so that it can change between the look and the wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int flag;

static void* setter(void* argument) {
  (void)argument;
  atomic_store(&flag, 1);
#ifdef FIXED
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_cond_signal(&changed);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  pthread_mutex_lock(&m);
  while (!atomic_load(&flag)) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  pthread_join(thread, NULL);
  return 0;
}
