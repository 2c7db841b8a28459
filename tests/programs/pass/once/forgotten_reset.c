// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/once/forgotten_reset.c"
