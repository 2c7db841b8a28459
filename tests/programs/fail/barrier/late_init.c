// heddle: expect=use_before_init budget=500
// The worker comes to the barrier before it is initialised: glibc divides by the count, which is zero.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_barrier_t begin;

static void* run(void* argument) {
  pthread_barrier_wait(&begin);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t worker;
#ifdef FIXED
  pthread_barrier_init(&begin, NULL, 2);
  pthread_create(&worker, NULL, run, NULL);
#else
  pthread_create(&worker, NULL, run, NULL);
  pthread_barrier_init(&begin, NULL, 2);
#endif
  run(NULL);
  pthread_join(worker, NULL);
  pthread_barrier_destroy(&begin);
  return 0;
}
