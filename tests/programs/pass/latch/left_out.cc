// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/latch/left_out.cc"
