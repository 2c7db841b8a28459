// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/spin/sleeps_at_last.c"
