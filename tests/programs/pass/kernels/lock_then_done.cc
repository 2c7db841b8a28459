// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/lock_then_done.cc"
