// heddle: expect=assertion budget=1000
// What follows from a data race goes through a file, and is seen long after: no value that main has read leads to the
// cause. So the race has the stars.
#define _GNU_SOURCE 1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kRecords = 8192 };
static int file, next_slot;
static volatile int records[kRecords];
static pthread_mutex_t m;

static void* append(void* argument) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int slot = next_slot;
  next_slot = slot + 1;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  (void)!pwrite(file, "x", 1, slot);
  for (int i = 0; i < kRecords; ++i) (void)records[i];
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_mutex_init(&m, NULL);
  next_slot = 0;
  file = memfd_create("records", 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, append, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(lseek(file, 0, SEEK_END) == 2);
  close(file);
  return 0;
}
