// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/rwlock/stale_read.c"
