// heddle: expect=crash budget=100000
#include "late.h"

void goes_wrong() {
  int n = 0;
#ifdef FIXED
  volatile int* const to = &n;
#else
  volatile int* const to = nullptr;
#endif
  *to = n + 1;
}
