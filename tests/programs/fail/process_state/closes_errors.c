// heddle: expect=assertion budget=100
// A daemon closes its standard error, and fails later. The report is not lost.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static int done;

static void* work(void* unused) {
  done = 1;
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  close(2);
  done = 0;
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
#ifdef FIXED
  pthread_join(worker, NULL);
#endif
  assert(done);
#ifndef FIXED
  pthread_join(worker, NULL);
#endif
  return 0;
}
