// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/status_after_stop.cc"
