// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/mutex/ab_ba_c.c"
