// A library that is not compiled with heddle: its positions say nothing to a user, and its atomics are invisible.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int taken;
int bare_calls;

// No tail calls: the callers' frames must be there.
int bare_lock(pthread_mutex_t* mutex) {
  const int result = pthread_mutex_lock(mutex);
  ++bare_calls;
  return result;
}

int bare_unlock(pthread_mutex_t* mutex) {
  const int result = pthread_mutex_unlock(mutex);
  ++bare_calls;
  return result;
}

struct start {
  void (*body)(void*);
  void* data;
};

static void* run(void* argument) {
  const struct start start = *(struct start*)argument;
  free(argument);
  start.body(start.data);
  return NULL;
}

pthread_t bare_start(void (*body)(void*), void* data) {
  struct start* const start = malloc(sizeof *start);
  *start = (struct start){body, data};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, start) != 0) abort();
  ++bare_calls;
  return thread;
}

void bare_spin_lock(void) {
  while (atomic_exchange_explicit(&taken, 1, memory_order_acquire) != 0) {
  }
}
void bare_spin_unlock(void) { atomic_store_explicit(&taken, 0, memory_order_release); }

/* Makes the fuzzing engine's hook of memcmp access memory thousands of times. */
int bare_compare(void) {
  char a[200] = "a", b[200] = "b";
  int different = 0;
  for (int i = 0; i < 5000; ++i) {
    a[1] = (char)i;
    different += memcmp(a, b, sizeof a) != 0;
  }
  return different;
}
