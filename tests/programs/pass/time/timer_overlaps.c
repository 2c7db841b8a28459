// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/time/timer_overlaps.c"
