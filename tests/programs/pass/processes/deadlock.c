// heddle: expect=pass runs=100
#define FIXED
#include "../../fail/processes/deadlock.c"
