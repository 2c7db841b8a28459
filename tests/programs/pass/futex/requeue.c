// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/futex/requeue.c"
