// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/condvar/count_by_two_locks.c"
