// heddle: expect=pass runs=1000
// pthread_exit in a nested call: clean-up handlers and key destructors run, the result reaches the joiner.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_key_t key;
static int cleaned, destroyed;

static void clean(void* n) { cleaned += *(int*)n; }
static void destroy(void* n) { destroyed += *(int*)n; }

__attribute__((noinline)) static void leave(int depth) {
  if (depth == 0) pthread_exit(&destroyed);
  leave(depth - 1);
  cleaned = -100;
}

static void* worker(void* argument) {
  pthread_setspecific(key, argument);
  pthread_cleanup_push(clean, argument);
  leave(20);
  pthread_cleanup_pop(0);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  int n = 5;
  pthread_t thread;
  void* result = NULL;
  assert(pthread_key_create(&key, destroy) == 0);
  assert(pthread_create(&thread, NULL, worker, &n) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == &destroyed && cleaned == 5 && destroyed == 5);
  pthread_key_delete(key);
  return 0;
}
