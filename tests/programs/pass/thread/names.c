// heddle: expect=pass runs=500
// Each thread has its own name. A new one begins with its creator's.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static void expect(pthread_t thread, const char* wanted) {
  char name[16];
  assert(pthread_getname_np(thread, name, sizeof name) == 0);
  assert(strcmp(name, wanted) == 0);
}

static void* work(void* number) {
  char name[16];
  expect(pthread_self(), "all of them");
  snprintf(name, sizeof name, "worker %d", (int)(intptr_t)number);
  if (number == NULL) prctl(PR_SET_NAME, name);
  else pthread_setname_np(pthread_self(), name);
  sched_yield();
  expect(pthread_self(), name);
  char again[16];
  prctl(PR_GET_NAME, again);
  assert(strcmp(name, again) == 0);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  char programs[16];
  pthread_getname_np(pthread_self(), programs, sizeof programs);
  assert(strcmp(programs, "all of them") != 0);  // not that of an execution before
  assert(pthread_setname_np(pthread_self(), "all of them") == 0);
  assert(pthread_setname_np(pthread_self(), "longer than fifteen") == ERANGE);
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, &work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  expect(pthread_self(), "all of them");
  return 0;
}
