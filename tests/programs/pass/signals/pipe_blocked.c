// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/signals/pipe_blocked.c"
