// heddle: expect=pass runs=500
// A thread that has been cancelled ends as soon as its type is "asynchronous" and its state allows it. A join without a time has no limit.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static int cleaned;

static void clean(void* argument) {
  (void)argument;
  ++cleaned;
}

static void* by_type(void* argument) {
  pthread_cancel(pthread_self());
  pthread_cleanup_push(clean, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  abort();
  pthread_cleanup_pop(0);
  return argument;
}

static void* by_state(void* argument) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cancel(pthread_self());
  pthread_cleanup_push(clean, NULL);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  abort();
  pthread_cleanup_pop(0);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  cleaned = 0;
  pthread_t first, second;
  pthread_create(&first, NULL, by_type, NULL);
  if (pthread_timedjoin_np(first, NULL, NULL) != 0) abort();
  pthread_create(&second, NULL, by_state, NULL);
  if (pthread_clockjoin_np(second, NULL, CLOCK_MONOTONIC, NULL) != 0) abort();
  if (cleaned != 2) abort();
  return 0;
}
