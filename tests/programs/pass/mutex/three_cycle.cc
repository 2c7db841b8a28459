// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/mutex/three_cycle.cc"
