// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/wait_in_loop.cc"
