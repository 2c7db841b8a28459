// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/stopped_to_nil.cc"
