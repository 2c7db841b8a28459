// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/mixed_deadlock.cc"
