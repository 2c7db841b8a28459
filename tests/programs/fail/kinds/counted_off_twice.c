// heddle: expect=heap-use-after-free|double-free budget=2000
// Three threads give back a record; the count of its users is an ordinary variable, and is read again after it was changed.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct record {
  volatile int users;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* give_back(void* of) {
  struct record* record = of;
#ifdef FIXED
  pthread_mutex_lock(&lock);
  const int left = record->users - 1;
  record->users = left;
  pthread_mutex_unlock(&lock);
  if (left == 0) free(record);
#else
  (void)lock;
  record->users = record->users - 1;
  if (record->users == 0) free(record);
#endif
  return NULL;
}

HEDDLE_FUZZ_TEST(counted_off_twice) {
  struct record* record = malloc(sizeof *record);
  record->users = 3;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, give_back, record);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
