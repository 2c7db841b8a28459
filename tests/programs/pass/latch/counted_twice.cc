// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/latch/counted_twice.cc"
