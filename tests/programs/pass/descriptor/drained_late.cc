// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/descriptor/drained_late.cc"
