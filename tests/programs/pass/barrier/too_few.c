// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/barrier/too_few.c"
