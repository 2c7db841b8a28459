// heddle: expect=use_before_init budget=500
// The lock is initialised while a reader holds it.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_rwlock_t guard;
static int value;

static void* look(void* argument) {
  pthread_rwlock_rdlock(&guard);
  *(int*)argument = value;
  pthread_rwlock_unlock(&guard);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t reader;
  int seen;
#ifdef FIXED
  pthread_rwlock_init(&guard, NULL);
  pthread_create(&reader, NULL, look, &seen);
#else
  pthread_create(&reader, NULL, look, &seen);
  pthread_rwlock_init(&guard, NULL);
#endif
  pthread_rwlock_wrlock(&guard);
  ++value;
  pthread_rwlock_unlock(&guard);
  pthread_join(reader, NULL);
  pthread_rwlock_destroy(&guard);
  return 0;
}
