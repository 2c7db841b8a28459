// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/wait_for_event.cc"
