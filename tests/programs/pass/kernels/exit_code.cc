// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/exit_code.cc"
