// heddle: expect=assertion budget=200
// The code for the value one is wrong.
#include "two_sends.h"

HEDDLE_FUZZ_TEST(two_sends_one) { two_sends(1); }
