// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/condvar/signal_before_wait_c.c"
