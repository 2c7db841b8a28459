// heddle: expect=double-free budget=1000
// A buffer is grown without a lock: two threads free the same old one.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char* buffer;
static size_t capacity;

static void* grow(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  char* const old = buffer;
  char* const larger = malloc(capacity + 500);
#ifndef FIXED
  pthread_mutex_lock(&m);
#endif
  buffer = larger;
  capacity += 500;
  free(old);
  pthread_mutex_unlock(&m);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  buffer = malloc(100);
  capacity = 100;
  pthread_create(&other, NULL, grow, NULL);
  grow(NULL);
  pthread_join(other, NULL);
  free(buffer);
  return 0;
}
