// heddle: expect=pass runs=3000
#define FIXED
#include "../../fail/signals/wait_cut_short.c"
