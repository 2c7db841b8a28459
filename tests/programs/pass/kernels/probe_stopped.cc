// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/probe_stopped.cc"
