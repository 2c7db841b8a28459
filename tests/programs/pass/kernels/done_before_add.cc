// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/done_before_add.cc"
