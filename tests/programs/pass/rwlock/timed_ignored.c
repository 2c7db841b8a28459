// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/rwlock/timed_ignored.c"
