// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/drained_by_nobody.cc"
