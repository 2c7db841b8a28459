// heddle: expect=pass runs=500
// Signal 0 asks whether a thread is there: before it has begun, while it waits, and when it has ended and was not joined.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static sem_t begun, go_on;

static void* work(void* unused) {
  sem_post(&begun);
  sem_wait(&go_on);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  sem_init(&begun, 0, 0);
  sem_init(&go_on, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, &work, NULL);
  assert(pthread_kill(thread, 0) == 0);
  sem_wait(&begun);
  assert(pthread_kill(thread, 0) == 0);
  sem_post(&go_on);
  for (int i = 0; i < 10; ++i) assert(pthread_kill(thread, 0) == 0);
  pthread_join(thread, NULL);
  return 0;
}
