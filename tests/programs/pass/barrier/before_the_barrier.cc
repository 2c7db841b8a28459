// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/barrier/before_the_barrier.cc"
