// heddle: expect=pass runs=300
#define FIXED
#include "../../fail/processes/deadlock.c"
