// heddle: expect=assertion budget=1000
// Two candidates for a once, and between them noise: the second one practically never wins.
#include "noise.h"

#include <cassert>

namespace {
heddle::once on;
int winner;
}  // namespace

HEDDLE_FUZZ_TEST(once_noise) {
  heddle::go([] { on.call([] { winner = 1; }); });
  noise();
  on.call([] { winner = 2; });
#ifndef FIXED
  assert(winner == 1);
#endif
}
