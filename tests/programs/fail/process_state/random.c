// heddle: expect=assertion budget=2000
// rand() and similar functions start again in each execution. Two threads draw from one sequence: the results depend on the schedule.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* draw(void* unused) {
  pthread_mutex_lock(&mutex);
  const int number = rand();
  pthread_mutex_unlock(&mutex);
  first = number;
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  static char own[64];
  pthread_t other;
  pthread_create(&other, NULL, draw, NULL);
#ifdef FIXED
  pthread_join(other, NULL);
#endif
  pthread_mutex_lock(&mutex);
  const long second = random();
  pthread_mutex_unlock(&mutex);
#ifndef FIXED
  pthread_join(other, NULL);
#endif
  assert(first == 1804289383 && second == 846930886);
  char* const before = initstate(7, own, sizeof own);
  random();
  assert(setstate(before) == own && rand() == 1681692777);
  srandom(5);
  setstate(own);
  srand(size == 0 ? 1 : data[0]);
  return 0;
}
