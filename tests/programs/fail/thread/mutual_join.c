// heddle: expect=deadlock|blocked_threads budget=500
// Two threads join each other.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_t first, second;
static _Atomic int second_known, joined;

static void* wait_for_second(void* argument) {
  (void)argument;
#ifndef FIXED
  if (atomic_load(&second_known) && !atomic_exchange(&joined, 1)) pthread_join(second, NULL);
#endif
  return NULL;
}

static void* wait_for_first(void* argument) {
  (void)argument;
  pthread_join(first, NULL);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_create(&first, NULL, wait_for_second, NULL);
  pthread_create(&second, NULL, wait_for_first, NULL);
  atomic_store(&second_known, 1);
  if (!atomic_exchange(&joined, 1)) pthread_join(second, NULL);
  return 0;
}
