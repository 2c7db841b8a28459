// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/pipe_closed_twice.c"
