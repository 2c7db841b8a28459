// heddle: expect=assertion budget=2000
// The numbers of drand48() and similar functions start again in each execution. Two threads draw from one sequence.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static long first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* draw(void* unused) {
  pthread_mutex_lock(&mutex);
  const long number = lrand48();
  pthread_mutex_unlock(&mutex);
  first = number;
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  pthread_create(&other, NULL, draw, NULL);
#ifdef FIXED
  pthread_join(other, NULL);
#endif
  pthread_mutex_lock(&mutex);
  const long second = lrand48();
  pthread_mutex_unlock(&mutex);
#ifndef FIXED
  pthread_join(other, NULL);
#endif
  assert(first == 0 && second == 2116118);
  unsigned short own[3] = {0, 0, 0}, factor[7] = {1, 2, 3, 4, 5, 6, 7};
  assert(nrand48(own) == 0 && nrand48(own) == 2116118);
  const unsigned short* const before = seed48(own);
  assert(before[2] != own[2] || before[1] != own[1] || before[0] != own[0] || drand48() != mrand48());
  srand48(9);
  lcong48(factor);
  assert(erand48(own) < 1 && jrand48(own) != 2116118);
  return 0;
}
