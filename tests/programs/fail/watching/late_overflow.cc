// heddle: expect=crash budget=100000
#include "late.h"

namespace {
int down(int n) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(n);
  return down(n + 1) + frame[0];
}
}  // namespace

void goes_wrong() { down(0); }
