// heddle: expect=assertion budget=10000
// Keys from before the first execution: a value is its thread's, and goes to the destructor when that ends, not before.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <threads.h>

static pthread_key_t results, unset;
static tss_t more_results;
static sem_t done;
static atomic_int handed_over;

static void hand_over(void* value) {
  atomic_fetch_add(&handed_over, (int)(intptr_t)value);
}

__attribute__((constructor)) static void make_keys(void) {
  pthread_key_create(&results, hand_over);
  pthread_key_create(&unset, hand_over);
  tss_create(&more_results, hand_over);
}

static void* work(void* argument) {
  assert(pthread_getspecific(results) == NULL && tss_get(more_results) == NULL);
  pthread_setspecific(results, (void*)(intptr_t)3);
  tss_set(more_results, (void*)(intptr_t)4);
  pthread_setspecific(unset, (void*)(intptr_t)50);
  pthread_setspecific(unset, NULL);
  assert(pthread_getspecific(results) == (void*)(intptr_t)3);
  sem_post(&done);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  sem_init(&done, 0, 0);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  sem_wait(&done);
#ifdef FIXED
  pthread_join(worker, NULL);
#endif
  assert(handed_over == 7);
#ifndef FIXED
  pthread_join(worker, NULL);
#endif
  assert(pthread_key_delete(unset) == 0 && pthread_setspecific(unset, &done) != 0);  // until the next execution
  sem_destroy(&done);
  return 0;
}
