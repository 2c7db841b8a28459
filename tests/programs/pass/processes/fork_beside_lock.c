// heddle: expect=pass runs=100
#define FIXED
#include "../../fail/processes/fork_beside_lock.c"
