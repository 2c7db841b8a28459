// heddle: expect=pass runs=1000
// pthread_once, in C, with a function that switches.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic int runs, ready;

static void initialise(void) {
  ++runs;
  sched_yield();
  ready = 1;
}

static void* use(void* argument) {
  pthread_once(&once, initialise);
  assert(ready == 1);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, NULL);
  use(NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(runs == 1);
  return 0;
}
