// heddle: expect=assertion budget=2000
// A sequence lock: the reader compares the number again after the first of two values only.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int number, first, second;

static void* change(void* unused) {
  for (int i = 1; i <= 3; ++i) {
    ++number;
    first = i;
    second = i;
    ++number;
  }
  return unused;
}

static void* look(void* unused) {
  for (int tries = 0; tries < 2; ++tries) {
    const int before = number;
    if (before % 2 != 0) continue;
    const int x = first;
#ifdef FIXED
    const int y = second;
    if (number != before) continue;
#else
    if (number != before) continue;
    const int y = second;
#endif
    assert(x == y);
  }
  return unused;
}

HEDDLE_FUZZ_TEST(sequence_read_once) {
  number = first = second = 0;
  pthread_t writer, readers[2];
  pthread_create(&writer, NULL, change, NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&readers[i], NULL, look, NULL);
  pthread_join(writer, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(readers[i], NULL);
}
