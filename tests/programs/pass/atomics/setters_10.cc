// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/atomics/setters_10.cc"
