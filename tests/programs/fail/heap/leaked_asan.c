// heddle: expect=leak budget=300 asan
// Of two entries the first is lost. Blocks that are reachable from the program's variables, or from its first thread's thread-locals and keys, when an execution
// ends are no leaks, although all of these are restored before the leak check.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct entry {
  struct entry* next;
  long value;
};

static struct entry* table;
static _Thread_local struct entry* last;
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct entry* make(struct entry* next) {
  struct entry* made = malloc(sizeof *made);
  assert(made != NULL);
  made->next = next;
  made->value = 1;
  return made;
}

static void* insert(void* unused) {
  (void)unused;
  struct entry* next = NULL;
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  next = table;
#endif
  table = make(next);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  pthread_create(&other, NULL, insert, NULL);
  insert(NULL);
  pthread_join(other, NULL);
  last = make(NULL);
  pthread_key_create(&key, NULL);
  pthread_setspecific(key, make(NULL));
  return 0;
}
