// heddle: expect=unsupported budget=10000
// Ends with one clear line, that says what to do instead.
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
#ifndef FIXED
  sem_open("/heddle", 0);
#endif
  return 0;
}
