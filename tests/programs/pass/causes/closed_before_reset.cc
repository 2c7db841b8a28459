// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/causes/closed_before_reset.cc"
