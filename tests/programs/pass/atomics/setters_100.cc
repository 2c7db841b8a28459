// heddle: expect=pass runs=100
#define FIXED
#include "../../fail/atomics/setters_100.cc"
