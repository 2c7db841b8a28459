// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/c11/timed.c"
