// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/no_signal.cc"
