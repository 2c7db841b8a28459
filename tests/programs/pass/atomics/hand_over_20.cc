// heddle: expect=pass runs=3000
#define FIXED
#include "../../fail/atomics/hand_over_20.cc"
