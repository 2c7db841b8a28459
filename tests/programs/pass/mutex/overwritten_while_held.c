// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/mutex/overwritten_while_held.c"
