// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/futex/lost_wake.c"
