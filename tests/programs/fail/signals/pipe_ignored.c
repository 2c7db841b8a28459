// heddle: expect=broken_pipe budget=2000
// Ignoring SIGPIPE lasts for one execution.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static void* ignore(void* unused) {
  assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  int ends[2];
  pthread_t other;
  assert(pipe(ends) == 0);
  close(ends[0]);
  pthread_create(&other, NULL, ignore, NULL);
#ifdef FIXED
  pthread_join(other, NULL);
#endif
  assert(write(ends[1], "x", 1) == -1);
#ifndef FIXED
  pthread_join(other, NULL);
#endif
  return 0;
}
