// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/time/timer_after_delete.c"
