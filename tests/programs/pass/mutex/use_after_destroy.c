// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/mutex/use_after_destroy.c"
