// heddle: expect=unsupported budget=10000
// Opening a named pipe waits for the other end in the kernel.
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
#ifndef FIXED
  mkfifo("/nowhere/at/all", 0600);
#endif
  return 0;
}
