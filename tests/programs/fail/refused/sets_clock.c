// heddle: expect=unsupported budget=10
// The program's clock is virtual. What it sets would be the clock of the machine. (This time cannot be set.)
#include <stddef.h>
#include <stdint.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
#ifndef FIXED
  now.tv_nsec = -1;
  clock_settime(CLOCK_REALTIME, &now);
#endif
  return 0;
}
