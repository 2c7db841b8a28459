// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/saved_too_little.c"
