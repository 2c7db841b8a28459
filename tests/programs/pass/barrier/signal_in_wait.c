// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/barrier/signal_in_wait.c"
