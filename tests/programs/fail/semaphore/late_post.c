// heddle: expect=use_after_destroy budget=1000
// The first of two posts lets the main thread go on, which destroys what the second one is for.
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static sem_t posted;

static void* post(void* nothing) {
  sem_post(&posted);
  return nothing;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  sem_init(&posted, 0, 0);
  pthread_t one, other;
  pthread_create(&one, 0, post, 0);
  pthread_create(&other, 0, post, 0);
  sem_wait(&posted);
#ifdef FIXED
  sem_wait(&posted);
#endif
  sem_destroy(&posted);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
