// heddle: expect=pass runs=300
// Sizes that no machine has: the calls fail, as everywhere.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// Otherwise the compiler leaves the calls out, as if they had succeeded.
__attribute__((noinline)) static void check(void* memory) {
  void* volatile seen = memory;
  if (seen != NULL || errno != ENOMEM) abort();
  errno = 0;
}

static void* ask(void* argument) {
  volatile size_t all = SIZE_MAX;
  errno = 0;
  check(malloc(all));
  check(malloc(all / 2));
  check(calloc(all, all));
  check(calloc(all, 1));
  check(calloc(all / 2, 2));
  void* const small = malloc(8);
  check(realloc(small, all));
  check(reallocarray(small, all, 2));
  free(small);
  void* aligned = NULL;
  if (posix_memalign(&aligned, 64, all - 64) != ENOMEM) abort();
  check(aligned_alloc(64, all - 63));
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  pthread_create(&other, NULL, ask, NULL);
  ask(NULL);
  pthread_join(other, NULL);
  return 0;
}
