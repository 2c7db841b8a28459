// heddle: expect=assertion budget=20000
// A harness in C: the right first byte, and the right order.
#include <heddle/heddle.h>

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;
static int torn;

static void* add(void* nothing) {
  if (torn) atomic_store(&n, atomic_load(&n) + 1);
  else atomic_fetch_add(&n, 1);
  return nothing;
}

HEDDLE_FUZZ_TEST(in_c) {
  size_t size;
  const uint8_t* const bytes = heddle_payload(&size);
#ifndef FIXED
  torn = size > 1 && bytes[0] == 'O';
#else
  (void)bytes;
#endif
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(atomic_load(&n) == 2);
}
