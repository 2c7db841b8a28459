// heddle: expect=pass runs=100 options=timeouts=patient
#define FIXED
#include "../../fail/time/limit_beside_busy_threads.c"
