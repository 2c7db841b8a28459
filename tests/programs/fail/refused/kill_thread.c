// heddle: expect=unsupported budget=10000
// A signal without a handler would end the process. heddle ends it with one line that says what to do instead.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
#ifndef FIXED
  pthread_kill(pthread_self(), SIGUSR1);
#endif
  return 0;
}
