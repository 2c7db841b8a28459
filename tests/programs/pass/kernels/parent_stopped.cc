// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/parent_stopped.cc"
