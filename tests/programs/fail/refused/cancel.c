// heddle: expect=unsupported budget=10000
// Ends with one clear line, that says what to do instead.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
#ifndef FIXED
  pthread_t self = pthread_self(); pthread_cancel(self);
#endif
  return 0;
}
