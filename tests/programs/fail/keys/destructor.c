// heddle: expect=assertion budget=10000
// A key's destructor hands over a thread's results. It runs after the thread has reported that it is done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_key_t results;
static sem_t done;
static atomic_int handed_over;

static void hand_over(void* value) {
  atomic_fetch_add(&handed_over, (int)(intptr_t)value);
}

static void* work(void* argument) {
  pthread_setspecific(results, (void*)(intptr_t)3);
  sem_post(&done);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_key_create(&results, hand_over);
  sem_init(&done, 0, 0);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  sem_wait(&done);
#ifdef FIXED
  pthread_join(worker, NULL);
#endif
  assert(handed_over == 3);
#ifndef FIXED
  pthread_join(worker, NULL);
#endif
  sem_destroy(&done);
  pthread_key_delete(results);
  return 0;
}
