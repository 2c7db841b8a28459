// heddle: expect=crash budget=200
// A table in a mapping that grows when it is full. A reader looks its entry up under the lock, and reads it when the lock is no longer held: the table may
// have moved away. Then there is nothing at the old address, in each process that runs the schedule.
#define _GNU_SOURCE
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/mman.h>

enum { kPage = 4096 };

struct entry {
  int key, value;
};

static struct entry* table;
static size_t bytes, used;
static pthread_mutex_t lock;

static void append(void) {
  if (used == bytes / sizeof *table) {
    table = mremap(table, bytes, 2 * bytes, MREMAP_MAYMOVE);
    assert(table != MAP_FAILED);
    bytes *= 2;
  }
  table[used].key = (int)used;
  table[used].value = 2 * (int)used;
  ++used;
}

static void* writer(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&lock);
    append();
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* reader(void* unused) {
  pthread_mutex_lock(&lock);
  const struct entry* first = table;
#ifdef FIXED
  const struct entry found = *first;
  first = &found;
#endif
  pthread_mutex_unlock(&lock);
  assert(first->value == 2 * first->key);
  return unused;
}

HEDDLE_FUZZ_TEST(outgrown) {
  pthread_mutex_init(&lock, NULL);
  bytes = kPage;
  used = 0;
  table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(table != MAP_FAILED);
  while (used < bytes / sizeof *table - 1) append();
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  munmap(table, bytes);
  pthread_mutex_destroy(&lock);
}
