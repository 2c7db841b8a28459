// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/captured_index.cc"
