// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/thread/double_join.c"
