// heddle: expect=pass runs=500
// A thread that asks for a large stack gets it, and other threads do not.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static void* uses_it(void* size) {
  const size_t bytes = (size_t)size;
  volatile char* on_the_stack = __builtin_alloca(bytes);
  for (size_t i = 0; i < bytes; i += 4096) on_the_stack[i] = 1;
  return NULL;
}

static void start(pthread_t* thread, size_t stack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack != 0 && pthread_attr_setstacksize(&attributes, stack) != 0) abort();
  if (pthread_create(thread, &attributes, uses_it, (void*)(stack != 0 ? stack - 65536 : 65536)) != 0) abort();
  pthread_attr_destroy(&attributes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  static const size_t kStacks[] = {0, 32 << 20, 0, 12 << 20, 1 << 20};
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i) start(&threads[i], kStacks[i]);
  for (int i = 0; i < 5; ++i) pthread_join(threads[i], NULL);
  return 0;
}
