// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/mutex/wrapped.cc"
