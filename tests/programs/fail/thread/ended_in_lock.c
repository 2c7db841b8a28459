// heddle: expect=blocked_threads|deadlock budget=1000
// A thread with the cancellation type "asynchronous" can end in any call, also in a wait for a lock. If it ends while it holds one, nobody
// can take it again. Its clean-up handler has to unlock it.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t first, second;
static int cleaned;

static void unlock(void* lock) {
  ++cleaned;
  pthread_mutex_unlock(lock);
}

static void nothing(void* argument) { (void)argument, ++cleaned; }

static void* work(void* argument) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_mutex_lock(&first);
#ifdef FIXED
  pthread_cleanup_push(unlock, &first);
#else
  pthread_cleanup_push(nothing, &first);
#endif
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_mutex_lock(&second);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_mutex_unlock(&second);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&first);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  cleaned = 0;
  pthread_mutex_init(&first, NULL);
  pthread_mutex_init(&second, NULL);
  pthread_mutex_lock(&second);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  // It does not wait for this mutex to be unlocked.
  pthread_join(thread, NULL);
  if (cleaned != 1) abort();
  pthread_mutex_unlock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_destroy(&first);
  pthread_mutex_destroy(&second);
  return 0;
}
