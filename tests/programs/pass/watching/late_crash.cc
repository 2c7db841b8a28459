// heddle: expect=pass runs=20000
#define FIXED
#include "../../fail/watching/late_crash.cc"
