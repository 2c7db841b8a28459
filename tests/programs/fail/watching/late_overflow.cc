// heddle: expect=crash budget=100000
#include "late.h"

namespace {
#ifdef FIXED
constexpr int kDeepest = 20;
#else
constexpr int kDeepest = 2'000'000'000;
#endif
int down(int n) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(n);
  return n == kDeepest ? 0 : down(n + 1) + frame[0];
}
}  // namespace

void goes_wrong() { down(0); }
