// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/once/home_made.cc"
