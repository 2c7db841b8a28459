// heddle: expect=pass runs=1000
// Everything that POSIX specifies about robust mutexes: which thread gets the error, when a mutex is lost for good, and the results of the calls.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock, recursive, plain;

static void init(pthread_mutex_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex, &attributes);
}

static void unlock_late(void* key_value) { assert(pthread_mutex_unlock(key_value) == 0); }

static pthread_key_t key;

static void* dies(void* unused) {
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
  // A destructor of the thread gives this one back in time.
  assert(pthread_mutex_lock(&plain) == 0);
  pthread_setspecific(key, &plain);
  assert(pthread_mutex_consistent(&lock) == EINVAL);
  return unused;
}

static void* waits(void* result) {
  *(int*)result = pthread_mutex_lock(&lock);
  if (*(int*)result == EOWNERDEAD) pthread_mutex_unlock(&lock);  // not made consistent: lost
  return NULL;
}

HEDDLE_FUZZ_TEST(robust_lost) {
  init(&lock, PTHREAD_MUTEX_NORMAL);
  init(&recursive, PTHREAD_MUTEX_RECURSIVE);
  init(&plain, PTHREAD_MUTEX_ERRORCHECK);
  pthread_key_create(&key, unlock_late);
  pthread_t threads[3];
  int results[2] = {-1, -1};
  pthread_create(&threads[0], NULL, dies, NULL);
  pthread_join(threads[0], NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[1 + i], NULL, waits, &results[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[1 + i], NULL);
  // One thread got EOWNERDEAD. The other one waited without success, or came too late.
  assert((results[0] == EOWNERDEAD && results[1] == ENOTRECOVERABLE) || (results[1] == EOWNERDEAD && results[0] == ENOTRECOVERABLE));
  struct timespec soon = {.tv_sec = 1};
  assert(pthread_mutex_trylock(&lock) == ENOTRECOVERABLE && pthread_mutex_timedlock(&lock, &soon) == ENOTRECOVERABLE);
  assert(pthread_mutex_destroy(&lock) == 0);
  init(&lock, PTHREAD_MUTEX_NORMAL);
  assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_trylock(&recursive) == EOWNERDEAD && pthread_mutex_consistent(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_lock(&plain) == 0 && pthread_mutex_unlock(&plain) == 0);
  pthread_mutex_destroy(&lock);
  pthread_mutex_destroy(&recursive);
  pthread_mutex_destroy(&plain);
  pthread_key_delete(key);
}
