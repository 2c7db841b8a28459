// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/library/lost_append.c"
