// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/one_slot_breaker.cc"
