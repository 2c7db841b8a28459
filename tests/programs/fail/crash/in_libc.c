// heddle: expect=crash budget=500
// A function of the C library gets a null pointer, if the other thread is in between. Such functions have no frame pointer.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char first[] = "heddle", second[] = "weaver";
static _Atomic(const char*) name = first;

static int is(const char* other) {
  const char* const seen = name;
#ifdef FIXED
  if (seen == NULL) return 0;
#endif
  return memcmp(seen, other, strlen(other)) == 0;
}

static void* rename_it(void* argument) {
  name = NULL;
  name = second;
  return argument;
}

static void* look(void* argument) {
  return is("weaver") ? argument : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t one, other;
  pthread_create(&one, NULL, rename_it, NULL);
  pthread_create(&other, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
