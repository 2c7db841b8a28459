// heddle: expect=assertion budget=20000
// Needs data bytes that are those of the first random number, and a schedule: a crash file from late in a long run has to replay.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int sum;
static int unlocked;

static void* add(void* unused) {
#ifdef FIXED
  atomic_fetch_add(&sum, 1);
#else
  if (unlocked) sum = sum + 1;
  else atomic_fetch_add(&sum, 1);
#endif
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pthread_t one, other;
  const int key = rand();
  unlocked = size > 1 && data[0] == (uint8_t)key && data[1] == (uint8_t)(key >> 8);
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&other, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(sum == 2);
  if (size > 2) srand(data[1]);
  return 0;
}
