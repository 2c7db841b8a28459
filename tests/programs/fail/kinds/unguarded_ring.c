// heddle: expect=assertion budget=5000
// A ring for one producer and one consumer: both change the number of items, without a lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { kSize = 4, kItems = 5 };
static volatile int count, slots[kSize];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int by) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
  count = count + by;
  pthread_mutex_unlock(&lock);
#else
  (void)lock;
  count = count + by;
#endif
}

static void* produce(void* unused) {
  (void)unused;
  for (int i = 0; i < kItems && count < kSize; ++i) {
    slots[i % kSize] = i;
    add(1);
  }
  return NULL;
}

static void* consume(void* bad) {
  int next = 0;
  for (int i = 0; i < kItems; ++i) {
    if (count == 0) continue;
    if (slots[next % kSize] != next) *(int*)bad = 1;
    ++next;
    add(-1);
  }
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  (void)bytes, (void)size;
  count = 0;
  for (int i = 0; i < kSize; ++i) slots[i] = -1;
  int bad = 0;
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, &bad);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  assert(!bad);
  return 0;
}
