// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/thread/ended_in_lock.c"
