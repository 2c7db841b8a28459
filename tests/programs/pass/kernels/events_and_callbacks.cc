// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/events_and_callbacks.cc"
