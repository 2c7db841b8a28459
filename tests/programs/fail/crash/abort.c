// heddle: expect=assertion|crash budget=300
// abort() in C.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic int n;

static void* check(void* argument) {
  if (n == 1) {
#ifndef FIXED
    abort();
#endif
  }
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  pthread_create(&thread, NULL, check, NULL);
  n = 1;
  n = 2;
  pthread_join(thread, NULL);
  return 0;
}
