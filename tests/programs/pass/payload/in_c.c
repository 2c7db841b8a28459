// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/payload/in_c.c"
