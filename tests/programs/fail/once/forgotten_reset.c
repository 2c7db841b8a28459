// heddle: expect=assertion budget=10000
// pthread_once for the table, and a plain flag for what must be in it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int table, filled;

static void make_table(void) {
  table = 1;
#ifdef FIXED
  filled = 1;
#endif
}

static void* use(void* argument) {
  pthread_once(&once, make_table);
#ifndef FIXED
  if (argument == NULL) filled = 1;
#endif
  assert(table && filled);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  pthread_create(&other, NULL, use, (void*)&table);
  use(NULL);
  pthread_join(other, NULL);
  return 0;
}
