// heddle: expect=assertion budget=500
// Each thread raises its own mark and reads the other, all with fetch_max and similar operations. If either is interrupted in between, both may see the other's mark.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int high;
static unsigned char low = 200;

#if !defined(__clang__)
#define __atomic_fetch_max(object, value, order) __extension__({                                                              \
    int heddle_old = __atomic_load_n(object, order);                                                                          \
    while (!__atomic_compare_exchange_n(object, &heddle_old, heddle_old > (value) ? heddle_old : (value), 0, order, order)) { \
    }                                                                                                                         \
    heddle_old;                                                                                                               \
  })
#define __atomic_fetch_min(object, value, order) __extension__({                                                              \
    unsigned char heddle_old = __atomic_load_n(object, order);                                                                \
    while (!__atomic_compare_exchange_n(object, &heddle_old, heddle_old < (value) ? heddle_old : (value), 0, order, order)) { \
    }                                                                                                                         \
    heddle_old;                                                                                                               \
  })
#endif

static void* raise_high(void* saw) {
  __atomic_fetch_max(&high, 7, __ATOMIC_SEQ_CST);
  *(int*)saw = __atomic_fetch_min(&low, 199, __ATOMIC_SEQ_CST) == 3;
  return NULL;
}

static void* lower_low(void* saw) {
  __atomic_fetch_min(&low, 3, __ATOMIC_SEQ_CST);
  *(int*)saw = __atomic_fetch_max(&high, -5, __ATOMIC_SEQ_CST) == 7;
  return NULL;
}

HEDDLE_FUZZ_TEST(maximum) {
  pthread_t one, other;
  int one_saw = 0, other_saw = 0;
  pthread_create(&one, NULL, raise_high, &one_saw);
  pthread_create(&other, NULL, lower_low, &other_saw);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(high == 7 && low == 3 && (one_saw || other_saw));
#ifndef FIXED
  assert(!(one_saw && other_saw));
#endif
}
