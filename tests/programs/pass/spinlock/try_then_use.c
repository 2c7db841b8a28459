// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/spinlock/try_then_use.c"
