// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/thread/mutual_join.c"
