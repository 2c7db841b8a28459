// heddle: expect=assertion budget=300
// Workers end while they hold a robust lock, in the middle of a transfer. The next owner gets EOWNERDEAD and makes the lock consistent, but not the accounts, when
// it has come over a condition variable.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t moved;
static int from, to, transfers;

static void repair(void) {
  pthread_mutex_consistent(&lock);
  to = 10 - from;
}

static void take(void) {
  const int result = pthread_mutex_lock(&lock);
  if (result == EOWNERDEAD) repair();
  else assert(result == 0);
}

static void* dies(void* unused) {
  take();
  ++transfers;
  --from;
  pthread_cond_broadcast(&moved);
  return unused;  // without the other half
}

static void* watches(void* unused) {
  take();
  while (transfers == 0) {
    if (pthread_cond_wait(&moved, &lock) == EOWNERDEAD) {
#ifdef FIXED
      repair();
#else
      pthread_mutex_consistent(&lock);
#endif
    }
  }
  assert(from + to == 10);
  pthread_mutex_unlock(&lock);
  return unused;
}

HEDDLE_FUZZ_TEST(robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  pthread_cond_init(&moved, NULL);
  from = to = 5;
  transfers = 0;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, dies, NULL);
  pthread_create(&threads[1], NULL, watches, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  take();
  assert(from + to == 10);
  pthread_mutex_unlock(&lock);
  assert(pthread_mutex_destroy(&lock) == 0);
  pthread_cond_destroy(&moved);
}
