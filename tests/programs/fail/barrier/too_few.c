// heddle: expect=deadlock|blocked_threads budget=10000
// A worker leaves early when there is nothing to do for it, and the others wait for it at the barrier.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_barrier_t round_end;
static atomic_int jobs;

static void* work(void* argument) {
  const int left = atomic_fetch_sub(&jobs, 1);
#ifdef FIXED
  (void)left;
#else
  if (left <= 0) return argument;
#endif
  pthread_barrier_wait(&round_end);
  return argument;
}

static void* add(void* argument) {
  atomic_fetch_add(&jobs, 1);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  atomic_store(&jobs, 1);
  pthread_barrier_init(&round_end, NULL, 2);
  pthread_t adder, worker;
  pthread_create(&adder, NULL, add, NULL);
  pthread_create(&worker, NULL, work, NULL);
  work(NULL);
  pthread_join(worker, NULL);
  pthread_join(adder, NULL);
  pthread_barrier_destroy(&round_end);
  return 0;
}
