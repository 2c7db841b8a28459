// heddle: expect=assertion budget=200
// The code for the value zero is wrong.
#include "two_sends.h"

HEDDLE_FUZZ_TEST(two_sends_zero) { two_sends(0); }
