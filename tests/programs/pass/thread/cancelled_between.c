// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/thread/cancelled_between.c"
