// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/crash/breakpoint.cc"
