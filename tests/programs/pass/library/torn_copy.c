// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/library/torn_copy.c"
