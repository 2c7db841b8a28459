// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/flag_in_timer.cc"
