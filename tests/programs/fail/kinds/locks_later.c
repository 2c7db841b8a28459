// heddle: expect=deadlock budget=1000
// Two threads take two locks in opposite order: one of them after five sections of its own, the other one before these.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

enum { kSections = 5 };
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int changes;

static void change(pthread_mutex_t* outer, pthread_mutex_t* inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  ++changes;
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

static void* both_last(void* unused) {
  for (int i = 0; i < kSections; ++i) {
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
  }
  change(&first, &second);
  return unused;
}

static void* both_first(void* unused) {
#ifdef FIXED
  change(&first, &second);
#else
  change(&second, &first);
#endif
  for (int i = 0; i < kSections; ++i) {
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
  }
  return unused;
}

HEDDLE_FUZZ_TEST(locks_later) {
  pthread_t one, other;
  pthread_create(&one, NULL, both_last, NULL);
  pthread_create(&other, NULL, both_first, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}
