// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/pop_under_lock.cc"
