// heddle: expect=unsupported budget=10000
// Ends with one clear line, that says what to do instead.
#include <unistd.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
#ifndef FIXED
  execl("/bin/true", "true", (char*)NULL);
#endif
  return 0;
}
