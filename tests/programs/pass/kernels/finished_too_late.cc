// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/finished_too_late.cc"
