// heddle: expect=deadlock|blocked_threads budget=500
// A thread is cancelled while it waits on a condition variable. It locks the mutex again, and no clean-up handler unlocks it.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int arrived;

static void unlock(void* m) { pthread_mutex_unlock(m); }

static void* wait_for_news(void* unused) {
  pthread_mutex_lock(&lock);
#ifdef FIXED
  pthread_cleanup_push(unlock, &lock);
#else
  (void)unlock;
#endif
  while (!arrived) pthread_cond_wait(&news, &lock);
#ifdef FIXED
  pthread_cleanup_pop(0);
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  void* result;
  arrived = 0;
  pthread_create(&thread, NULL, wait_for_news, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) __builtin_trap();
  pthread_mutex_lock(&lock);
  arrived = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
