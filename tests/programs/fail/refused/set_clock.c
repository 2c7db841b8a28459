// heddle: expect=unsupported budget=100
// A privileged program would set the machine's clock, to a virtual time. (The value is not valid, so that no clock is set if nobody refuses the call.)
#include <stddef.h>
#include <stdint.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
#ifndef FIXED
  const struct timespec time = {0, -1};
  clock_settime(CLOCK_REALTIME, &time);
#endif
  return 0;
}
